import { type ContentBlock, isToolUse, type ToolUseId } from "../../messages/message.ts";
import type { ModelRequest } from "../model.ts";

/** `base`, or `base-2`, `base-3`, … where it is taken. */
export function freshId(base: string, taken: { has(id: string): boolean }): string {
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${base}-${count}`;
  return id;
}

/** Whether `id` could be what `freshId` made of `base`. */
export function isMadeFrom(base: string, id: string): boolean {
  return id === base || (id.startsWith(`${base}-`) && /^\d+$/.test(id.slice(base.length + 1)));
}

/** The blocks with tool use ids that the request's history does not have. */
export function withFreshIds(blocks: readonly ContentBlock[], { messages }: ModelRequest): ContentBlock[] {
  const taken = new Set(messages.flatMap(({ content }) => content.filter(isToolUse).map((block) => block.id)));
  return blocks.map((block) => (isToolUse(block) ? { ...block, id: freshId(block.id, taken) as ToolUseId } : block));
}

/** An id for the next answer that none in the request's history has. */
export function freshAnswerId(base: string, { messages }: ModelRequest): string {
  return freshId(base, new Set(messages.flatMap((message) => (message.role === "assistant" ? message.id : []))));
}
