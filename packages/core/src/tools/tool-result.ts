import type { ToolResultBlock } from "../messages/message.ts";
import type { ToolCall, ToolOutcome } from "./tool.ts";

export const INTERRUPTED_TOOL_USE = "[Request interrupted by user for tool use]";
export const INTERRUPTED = "[Request interrupted by user]";

/** What the model, the transcript and the eyes get of one call. */
export type WrittenResult = {
  block: ToolResultBlock;
  structured?: unknown;
  denialKind?: "user-rejected" | "rule" | "mode" | "host";
};

/** Every call gets exactly one result, whatever became of it. Consumers match the beginnings of these texts. */
export function writtenResult(call: ToolCall, outcome: ToolOutcome): WrittenResult {
  switch (outcome.type) {
    case "done": {
      const { content, isError, structured } = outcome.result;
      const block: ToolResultBlock = {
        type: "tool_result",
        tool_use_id: call.id,
        content: isBlank(content) ? `(${call.name} completed with no output)` : content,
        ...(isError ? { is_error: true } : {}),
      };
      return structured === undefined ? { block } : { block, structured };
    }
    case "invalid":
      return failure(call, `<tool_use_error>${outcome.message}</tool_use_error>`);
    case "denied": {
      const denialKind = outcome.by === "user" ? "user-rejected" : (outcome.by ?? "rule");
      return { ...failure(call, outcome.reason), denialKind };
    }
    case "failed":
      return failure(call, outcome.message.trim() === "" ? `${call.name} failed` : outcome.message);
    case "stopped_by_hook":
      return failure(call, outcome.reason);
    case "session_broken":
      return failure(call, outcome.message);
    case "cancelled":
      return failure(call, cancelledText(call, outcome.reason));
    default:
      return outcome satisfies never;
  }
}

function failure(call: ToolCall, text: string): WrittenResult {
  return {
    block: { type: "tool_result", tool_use_id: call.id, content: text, is_error: true },
    structured: `Error: ${text}`,
  };
}

function cancelledText(call: ToolCall, reason: Extract<ToolOutcome, { type: "cancelled" }>["reason"]): string {
  switch (reason) {
    case "abort":
      return INTERRUPTED_TOOL_USE;
    case "sibling_failed":
      return "<tool_use_error>Cancelled: an earlier command of the same answer failed</tool_use_error>";
    case "discarded_answer":
      return `<tool_use_error>Cancelled: the answer that called ${call.name} was discarded</tool_use_error>`;
    case "timeout":
      return `<tool_use_error>Cancelled: ${call.name} took too long</tool_use_error>`;
    default:
      return reason satisfies never;
  }
}

function isBlank(content: string | readonly unknown[]): boolean {
  return typeof content === "string" ? content.trim() === "" : content.length === 0;
}
