import type { ApiBlock } from "./api-message.ts";
import { innerBlocks, isBlock } from "./api-shape.ts";
import type { ContentBlock, Message } from "./message.ts";

/** In a tool result: from here on the model knows a tool that was left for it to search for. */
export const toolReference = (name: string): ContentBlock => ({
  type: "other",
  raw: { type: "tool_reference", tool_name: name },
});

/** The tool that a block refers to; undefined for other blocks. */
function referredTool(block: ApiBlock): string | undefined {
  if (block.type !== "tool_reference") return undefined;
  return typeof block["tool_name"] === "string" ? block["tool_name"] : "";
}

/** The tools that a message's results refer to. */
export function referredTools(message: Message): readonly string[] {
  return message.content.flatMap((block) =>
    block.type === "tool_result" && typeof block.content !== "string"
      ? block.content.flatMap((inner) => (inner.type === "other" ? (referredTool(inner.raw) ?? []) : []))
      : [],
  );
}

/**
 * A result without its references to tools that `isKept` refuses: a provider refuses a request that refers to what it does not
 * have. When nothing else is left it is words: references and other content are not mixed. What needs no change is the same
 * object.
 */
export function withKnownReferences(block: ApiBlock, isKept: (tool: string) => boolean): ApiBlock {
  const isWrong = (inner: unknown) => isBlock(inner) && !isKeptReference(inner, isKept);
  const { content } = block;
  if (!Array.isArray(content) || !innerBlocks(block).some(isWrong)) return block;
  const rest = content.filter((inner) => !isWrong(inner));
  return { ...block, content: rest.length > 0 ? rest : content.filter(isBlock).map(wordsFor) };
}

function isKeptReference(block: ApiBlock, isKept: (tool: string) => boolean): boolean {
  const tool = referredTool(block);
  return tool === undefined || isKept(tool);
}

const wordsFor = (block: ApiBlock) => ({ type: "text", text: `Found the tool ${referredTool(block)}.` });
