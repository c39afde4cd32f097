import type { ToolResultBlock } from "../messages/message.ts";
import type { ToolCall, ToolOutcome, ToolResult } from "./tool.ts";

export const INTERRUPTED_TOOL_USE = "[Request interrupted by user for tool use]";
export const INTERRUPTED = "[Request interrupted by user]";

/** What the model, the transcript and the eyes get of one call. */
export type WrittenResult = {
  block: ToolResultBlock;
  structured?: unknown;
  denialKind?: "user-rejected" | "rule" | "mode" | "host";
} & Pick<ToolResult, "shorten" | "isCut">;

/** Every call gets exactly one result, whatever became of it. Consumers match the beginnings of these texts. */
export function writtenResult(call: ToolCall, outcome: ToolOutcome): WrittenResult {
  switch (outcome.type) {
    case "done": {
      const { content, isError, structured, shorten, isCut } = outcome.result;
      const block: ToolResultBlock = {
        type: "tool_result",
        tool_use_id: call.id,
        content: isBlank(content) ? `(${call.name} completed with no output)` : content,
        ...(isError ? { is_error: true } : {}),
      };
      return {
        block,
        ...(structured === undefined ? {} : { structured }),
        ...(shorten === undefined ? {} : { shorten }),
        ...(isCut === undefined ? {} : { isCut }),
      };
    }
    case "invalid":
      return refused(call, outcome.message);
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
      return { ...cancelled(call, outcome.reason), isCut: true };
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

/** Not carried out: the model and consumers know it by the tag, eyes see the text alone. */
function refused(call: ToolCall, text: string): WrittenResult {
  const written = failure(call, text);
  return { ...written, block: { ...written.block, content: refusedText(text) } };
}

/** What the model gets of a call that was not carried out. */
export const refusedText = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;

function cancelled(call: ToolCall, reason: Extract<ToolOutcome, { type: "cancelled" }>["reason"]): WrittenResult {
  switch (reason) {
    case "abort":
      return failure(call, INTERRUPTED_TOOL_USE);
    case "sibling_failed":
      return refused(call, "Cancelled: an earlier command of the same answer failed");
    case "discarded_answer":
      return refused(call, `Cancelled: the answer that called ${call.name} was discarded`);
    case "timeout":
      return refused(call, `Cancelled: ${call.name} took too long`);
    default:
      return reason satisfies never;
  }
}

function isBlank(content: string | readonly unknown[]): boolean {
  return typeof content === "string" ? content.trim() === "" : content.length === 0;
}
