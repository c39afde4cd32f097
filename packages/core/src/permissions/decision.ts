import type { ToolUseId } from "../messages/message.ts";

/** May this call happen, and why. */
export type Decision =
  | { behavior: "allow"; updatedInput?: Record<string, unknown>; because: Because }
  | { behavior: "ask"; because: Because; suggestions: readonly unknown[] }
  | { behavior: "deny"; message: string; because: Because; interrupt?: boolean };

export type Because = {
  type: "rule" | "mode" | "hook" | "classifier" | "host" | "user" | "safety" | "sandbox";
  rule?: string;
  source?: string;
  reason: string;
};

/** The host's answer to "ask": the last step of a decision. It may answer anything but "ask". */
export type CanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  about: { toolUseId: ToolUseId; signal: AbortSignal; because: Because },
) => Promise<HostAnswer>;

export type HostAnswer =
  | { behavior: "allow"; updatedInput?: Record<string, unknown> }
  | { behavior: "deny"; message: string; interrupt?: boolean };
