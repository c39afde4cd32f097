import { isThinking } from "../api-shape.ts";
import { isBlankText } from "../block-faults.ts";
import { jsonBytes, jsonFault } from "../json-value.ts";
import { MAX_BODY_BYTES, MAX_CACHE_MARKS } from "../rule-options.ts";
import { everyBlock, type Report, type Seen } from "./seen.ts";

/** Rule 10: what leaves is JSON in valid UTF-8, and not too much of it. */
export function checkBody(messages: readonly Seen[], report: Report): void {
  let bytes = 0;
  for (const { blocks } of messages) {
    for (const { at, block } of blocks) {
      const fault = jsonFault(block);
      if (fault !== undefined) report(10, at, `holds ${fault}`);
      bytes += jsonBytes(block);
    }
  }
  if (bytes > MAX_BODY_BYTES) report(10, "messages", `${bytes} bytes, over the limit of ${MAX_BODY_BYTES}`);
}

/** Rule 11: cache marks, few and on real content. */
export function checkCacheMarks(messages: readonly Seen[], report: Report): void {
  const marked = [...everyBlock(messages)].filter(({ block }) => isMarked(block));
  if (marked.length > MAX_CACHE_MARKS) {
    report(11, "messages", `${marked.length} cache marks, over the limit of ${MAX_CACHE_MARKS}`);
  }
  for (const { at, block } of marked) {
    if (isThinking(block)) report(11, at, "a cache mark on thinking");
    if (isBlankText(block)) report(11, at, "a cache mark on an empty text");
  }
}

export const isMarked = (block: Record<string, unknown>): boolean =>
  block["cache_control"] !== undefined && block["cache_control"] !== null;
