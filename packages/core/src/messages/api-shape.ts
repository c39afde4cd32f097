import type { ApiBlock } from "./api-message.ts";

/** Reading values of unknown shape without trusting or throwing. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isBlock = (value: unknown): value is ApiBlock => isRecord(value) && typeof value["type"] === "string";

export const isBlank = (text: string): boolean => text.trim() === "";

/** A value as a short word in a message to people. Never throws. */
export const shown = (value: unknown): string => (typeof value === "string" ? value : typeof value);

/** A call of a tool that the provider runs itself. */
export const isServerToolUse = (block: ApiBlock): boolean =>
  block.type === "server_tool_use" || block.type === "mcp_tool_use";

/** The result of such a call: stands in the same assistant message. */
export const isServerToolResult = (block: ApiBlock): boolean => block.type.endsWith("_tool_result");

export const isThinking = (block: ApiBlock): boolean => block.type === "thinking" || block.type === "redacted_thinking";

export const isMedia = (block: ApiBlock): boolean => block.type === "image" || block.type === "document";

/** The blocks inside a tool result. */
export function innerBlocks(block: ApiBlock): readonly ApiBlock[] {
  const content = block.type === "tool_result" ? block["content"] : undefined;
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

/** An answer that the provider paused: sent back as it is, and the model goes on with it. */
export const isPaused = (message: Record<string, unknown>, blocks: readonly ApiBlock[]): boolean =>
  message["stop_reason"] === "pause_turn" && !blocks.some((block) => block.type === "tool_use");
