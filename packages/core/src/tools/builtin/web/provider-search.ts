import { isRecord } from "../../../messages/api-shape.ts";
import { type ContentBlock, textOf } from "../../../messages/message.ts";

export type SearchHit = { title: string; url: string };
/** What one search found, or words, in the order in which they came. Public. */
export type SearchResult = { tool_use_id: string; content: SearchHit[] } | string;

/** A provider's answer may hold this many results of one search. */
const MAX_HITS = 50;

/** What a provider's answer found and says; `failures`: why searches found nothing, in the provider's words. */
export function searchResults(blocks: readonly ContentBlock[]): { results: SearchResult[]; failures: string[] } {
  const results: SearchResult[] = [];
  const failures: string[] = [];
  let words: ContentBlock[] = [];
  const endWords = () => {
    const text = textOf(words.splice(0)).trim();
    if (text !== "") results.push(text);
  };
  for (const block of blocks) {
    const found = resultOf(block);
    if (found === undefined) {
      words = [...words, block];
      continue;
    }
    endWords();
    if ("failure" in found) failures.push(found.failure);
    else results.push(found);
  }
  endWords();
  return { results, failures };
}

/** Searches that are paid for: those that did not fail. */
export const searchesIn = (blocks: readonly ContentBlock[]): number =>
  blocks.flatMap((block) => resultOf(block) ?? []).filter((found) => !("failure" in found)).length;

function resultOf(
  block: ContentBlock,
): { tool_use_id: string; content: SearchHit[] } | { failure: string } | undefined {
  if (block.type !== "other" || block.raw.type !== "web_search_tool_result") return undefined;
  const { content, tool_use_id } = block.raw;
  if (!Array.isArray(content)) {
    const code = isRecord(content) ? content["error_code"] : undefined;
    return { failure: typeof code === "string" ? code : "unknown" };
  }
  const hits = content.slice(0, MAX_HITS).flatMap((hit: unknown) => {
    const { title, url } = isRecord(hit) ? hit : {};
    return typeof url === "string" ? [{ title: typeof title === "string" ? title : url, url }] : [];
  });
  return { tool_use_id: typeof tool_use_id === "string" ? tool_use_id : "", content: hits };
}
