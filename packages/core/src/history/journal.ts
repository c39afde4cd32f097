import type { Message, ModelId, ToolUseId, Usage, UserMessage, Uuid } from "../messages/message.ts";

/**
 * What is written, in order, and never changed. A `message` entry is one line of the transcript: an assistant entry holds
 * exactly one block, and `usage` and `stopReason` only on the last entry of its answer; the results of one round are one
 * user entry each. The projection joins them.
 */
export type JournalEntry =
  | { type: "message"; message: Message; parent: Uuid | null; isSidechain: boolean }
  | {
      type: "compact_boundary";
      uuid: Uuid;
      logicalParent: Uuid | null;
      trigger: "manual" | "auto";
      preTokens: number;
      summary: UserMessage;
      kept: readonly Uuid[];
    }
  | {
      type: "intent";
      toolUseId: ToolUseId;
      tool: string;
      inputHash: string;
      effect: "edit" | "other";
      before?: Record<string, string | null>;
    }
  | {
      type: "outcome";
      toolUseId: ToolUseId;
      status: "done" | "failed" | "denied" | "cancelled" | "unknown";
      after?: Record<string, string | null>;
    }
  | {
      type: "question";
      toolUseId: ToolUseId;
      input: Record<string, unknown>;
      /** What "don't ask again" would have saved. */
      suggestions?: readonly unknown[];
    }
  | { type: "answer"; toolUseId: ToolUseId; behavior: "allow" | "deny"; by: string }
  | {
      type: "decision";
      toolUseId: ToolUseId;
      behavior: "allow" | "ask" | "deny";
      /** The permission mode it was made in. */
      mode?: string;
      because: { type: string; rule?: string; source?: string; reason: string };
    }
  | {
      type: "ledger";
      responseId: string;
      requestId?: string;
      attempt: number;
      status: "ok" | "retried" | "cancelled" | "failed";
      model: ModelId;
      usage: Usage;
      costUsd: number | null;
      /** Searches that the provider made for it. */
      webSearches?: number;
      source: QuerySource;
    }
  | { type: "transition"; transition: { type: string; [field: string]: unknown } }
  | {
      type: "projection";
      op: "clear_results" | "collapse" | "snip" | "strip_media" | "tombstone" | "repair" | "clear";
      refs: readonly string[];
      replacement?: readonly Message[];
      reason: string;
    }
  | { type: "rewind"; to: Uuid; scope: "conversation" | "files" | "both"; undoOf?: string }
  | { type: "state"; part: string; value: unknown };

/** Who asked the model. */
export type QuerySource = "main" | "sdk" | "subagent" | "compact" | "notes" | "hook" | "side";
