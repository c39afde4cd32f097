import { isServerToolResult, isServerToolUse, isThinking } from "./api-shape.ts";
import { thinkingFault } from "./block-faults.ts";
import type { ContentBlock } from "./message.ts";
import { toApiBlock } from "./normalize.ts";

/**
 * The blocks of an answer that cannot be sent back: a call that the provider runs itself without its result, and the reverse;
 * thinking that nothing follows, or whose signature is missing; results of our calls, which only we give. An answer that was
 * cut has such, and one of a server that does not keep the API's rules.
 */
export function unsendable(blocks: readonly ContentBlock[]): Set<ContentBlock> {
  const shapes = blocks.map((block) => ({ block, api: toApiBlock(block) }));
  const uses = new Set(shapes.filter(({ api }) => isServerToolUse(api)).map(({ api }) => api["id"]));
  const results = new Set(shapes.filter(({ api }) => isServerToolResult(api)).map(({ api }) => api["tool_use_id"]));
  const isLone = ({ api }: (typeof shapes)[number]) =>
    (isServerToolUse(api) && !results.has(api["id"])) || (isServerToolResult(api) && !uses.has(api["tool_use_id"]));
  const isBroken = ({ api }: (typeof shapes)[number]) =>
    api.type === "tool_result" || (isThinking(api) && thinkingFault(api) !== undefined);
  const left = new Set(shapes.filter((shape) => isLone(shape) || isBroken(shape)).map(({ block }) => block));
  for (const { block, api } of shapes.toReversed()) {
    if (left.has(block)) continue;
    if (!isThinking(api)) break;
    left.add(block);
  }
  return left;
}
