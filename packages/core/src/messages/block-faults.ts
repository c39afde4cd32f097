import type { ApiBlock } from "./api-message.ts";
import { isBlank, isBlock, isRecord, shown } from "./api-shape.ts";
import { MAX_TOOL_NAME_CHARS } from "./rule-options.ts";

/** What is wrong with one block by itself: the same questions for finding violations and for repairing them. */

const RESULT_CONTENT = ["text", "image", "document", "search_result", "tool_reference", "browser_state"];

const TOOL_NAME = new RegExp(`^[a-zA-Z0-9_-]{1,${MAX_TOOL_NAME_CHARS}}$`);

export const isToolUseId = (id: unknown): id is string => typeof id === "string" && /^[a-zA-Z0-9_-]+$/.test(id);

export const isToolName = (name: unknown): name is string => typeof name === "string" && TOOL_NAME.test(name);

/** A kind of block that may stand in a tool result. */
export const isResultContent = (block: ApiBlock): boolean => RESULT_CONTENT.includes(block.type);

export const isBlankText = (block: ApiBlock): boolean =>
  block.type === "text" && (typeof block["text"] !== "string" || isBlank(block["text"]));

/** Why a thinking block is not whole: half of one is refused. Its text may be empty, when the answer was asked for without it. */
export function thinkingFault(block: ApiBlock): string | undefined {
  if (block.type === "redacted_thinking")
    return isFilled(block["data"]) ? undefined : "redacted thinking without its data";
  if (typeof block["thinking"] !== "string") return "thinking without its text";
  return isFilled(block["signature"]) ? undefined : "thinking without its signature";
}

/** Why a tool result's own fields are not what the API takes; the blocks inside are judged one by one. */
export function resultFault(block: ApiBlock): string | undefined {
  const { content, is_error } = block;
  if (is_error !== undefined && typeof is_error !== "boolean") return "is_error is neither true nor false";
  if (typeof content === "string") return isBlank(content) ? "an empty result" : undefined;
  if (content === undefined || content === null) return "an empty result";
  if (!Array.isArray(content)) return "a result that is neither text nor blocks";
  if (content.length === 0) return "an empty result";
  const stranger = content.find((inner) => !isBlock(inner) || !isResultContent(inner));
  if (stranger === undefined) return undefined;
  return `a result that holds ${isRecord(stranger) ? shown(stranger["type"]) : typeof stranger}`;
}

const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";
