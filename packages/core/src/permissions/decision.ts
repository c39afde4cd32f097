import type { ToolUseId } from "../messages/message.ts";
import type { CommandPart } from "./command-parts.ts";
import type { PermissionUpdate } from "./update.ts";

/** May this call happen, and why. */
export type Decision =
  | { behavior: "allow"; updatedInput?: Record<string, unknown>; because: Because }
  | {
      behavior: "ask";
      because: Because;
      /** Changes after which this call would not be asked about. */
      suggestions: readonly PermissionUpdate[];
      /** Of a command line: its commands, and which of them are asked about. */
      parts?: readonly CommandPart[];
      /** In mode `auto`: whether the classifier may answer. What rules ask about is the user's alone. */
      isForClassifier?: boolean;
    }
  | { behavior: "deny"; message: string; because: Because; interrupt?: boolean };

export type Because = {
  type: "rule" | "mode" | "hook" | "classifier" | "host" | "user" | "safety" | "sandbox";
  rule?: string;
  source?: string;
  reason: string;
};

/** What is known about a call that is asked about. */
export type PermissionQuestion = {
  toolUseId: ToolUseId;
  /** Aborts when nobody needs the answer any more: the turn has ended, or a change of rules or mode has answered. */
  signal: AbortSignal;
  because: Because;
  /** What "don't ask again" would save; empty when nothing narrow enough covers the call. */
  suggestions: readonly PermissionUpdate[];
  /** Of a command line: its commands, and which of them are asked about. */
  parts?: readonly CommandPart[];
};

/** The host's answer to "ask": the last step of a decision. It may answer anything but "ask". */
export type CanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  about: PermissionQuestion,
) => Promise<HostAnswer>;

/** How a person decided, when one did. */
type DecisionClassification = "user_temporary" | "user_permanent" | "user_reject";

export type HostAnswer =
  | {
      behavior: "allow";
      updatedInput?: Record<string, unknown>;
      /** Changes that hold at once, such as the suggestions: for the session, and in a file where the destination is one. */
      updatedPermissions?: readonly PermissionUpdate[];
      decisionClassification?: DecisionClassification;
    }
  | { behavior: "deny"; message: string; interrupt?: boolean; decisionClassification?: DecisionClassification };
