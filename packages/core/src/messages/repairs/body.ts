import type { ApiBlock } from "../api-message.ts";
import { isBlock, isMedia, isThinking } from "../api-shape.ts";
import { isMarked } from "../checks/body.ts";
import { jsonBytes } from "../json-value.ts";
import { MAX_BODY_BYTES, MAX_CACHE_MARKS } from "../rule-options.ts";
import { type Draft, type RepairLog, setBlocks } from "./draft.ts";
import { blocksOf, changeBlocks } from "./each-block.ts";
import { stubbed } from "./media.ts";

const TARGET_BODY_BYTES = MAX_BODY_BYTES - 64 * 1024; // leaves room for what the last step may add
const MAX_KEPT_CHARS = 100_000; // of one text, once the body is too large

/** Rule 10: a body over the limit loses its oldest media, then the middle of its longest texts, then its oldest messages. */
export function repairSize(drafts: Draft[], log: RepairLog): Draft[] {
  const excess = () => drafts.reduce((total, { blocks }) => total + sizeOf(blocks), 0) - TARGET_BODY_BYTES;
  if (excess() <= 0) return drafts;
  stubOldestMedia(drafts, excess(), log);
  if (excess() <= 0) return drafts;
  for (const draft of drafts)
    setBlocks(
      draft,
      draft.blocks.map((block) => shortened(block, log)),
    );
  return newestThatFit(drafts, log);
}

const sizeOf = (blocks: readonly ApiBlock[]): number => blocks.reduce((total, block) => total + jsonBytes(block), 0);

function stubOldestMedia(drafts: readonly Draft[], excess: number, log: RepairLog): void {
  let left = excess;
  changeBlocks(drafts, isMedia, (block) => {
    if (left <= 0) return block;
    left -= jsonBytes(block);
    return stubbed(block, 10, "made the request too large", log);
  });
}

/** Long texts and results keep their head and tail. Thinking and blocks of unknown kind are never altered. */
function shortened(block: ApiBlock, log: RepairLog): ApiBlock {
  const { text, content, input } = block;
  let fixed = block;
  if (block.type === "text" && isLong(text)) fixed = { ...block, text: headAndTail(text) };
  if (block.type === "tool_result" && isLong(content)) fixed = { ...block, content: headAndTail(content) };
  if (block.type === "tool_result" && Array.isArray(content)) fixed = shortenedInside(block, content);
  if (block.type === "tool_use") {
    const entries = Object.entries(input ?? {});
    const isAnyLong = entries.some(([, value]) => isLong(value));
    if (isAnyLong) fixed = { ...block, input: Object.fromEntries(entries.map(([key, value]) => [key, cut(value)])) };
  }
  if (fixed !== block) log.on(block, 10, "cut in the middle: the request was too large", fixed);
  return fixed;
}

function shortenedInside(block: ApiBlock, content: readonly unknown[]): ApiBlock {
  const isLongText = (inner: unknown) => isBlock(inner) && inner.type === "text" && isLong(inner["text"]);
  if (!content.some(isLongText)) return block;
  const shorter = (inner: unknown) =>
    isBlock(inner) && inner.type === "text" ? { ...inner, text: cut(inner["text"]) } : inner;
  return { ...block, content: content.map(shorter) };
}

const isLong = (value: unknown): value is string => typeof value === "string" && value.length > MAX_KEPT_CHARS;

const cut = (value: unknown): unknown => (isLong(value) ? headAndTail(value) : value);

function headAndTail(text: string): string {
  const half = MAX_KEPT_CHARS / 2;
  const head = text.slice(0, half);
  const tail = text.slice(-half);
  const isSplit = (at: number) => isHighSurrogate(text.charCodeAt(at - 1));
  const start = isSplit(half) ? head.slice(0, -1) : head;
  const end = isSplit(text.length - half) ? tail.slice(1) : tail;
  return `${start}\n[… ${text.length - start.length - end.length} characters left out …]\n${end}`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The longest end of the conversation that fits and does not begin between calls and their results. */
function newestThatFit(drafts: Draft[], log: RepairLog): Draft[] {
  let start = drafts.length;
  let bytes = 0;
  for (let index = drafts.length - 1; index >= 0; index -= 1) {
    const { role, blocks } = drafts[index] ?? { role: "user", blocks: [] };
    bytes += sizeOf(blocks);
    if (bytes > TARGET_BODY_BYTES) break;
    if (role === "assistant" || !blocks.some(({ type }) => type === "tool_result")) start = index;
  }
  if (start > 0) log.add(10, "messages[0]", `left out the oldest ${start} messages: the request was too large`);
  return drafts.slice(start);
}

/** Rule 11: marks only on what can be cached, and only the last few. */
export function repairCacheMarks(drafts: readonly Draft[], log: RepairLog): void {
  const marked = blocksOf(drafts, isMarked);
  const kept = new Set([...marked.keys()].filter((index) => !isThinkingAt(marked, index)).slice(-MAX_CACHE_MARKS));
  if (kept.size === marked.length) return;
  changeBlocks(drafts, isMarked, (block, index) => (kept.has(index) ? block : unmarked(block, log)));
}

function isThinkingAt(blocks: readonly ApiBlock[], index: number): boolean {
  const block = blocks[index];
  return block !== undefined && isThinking(block);
}

function unmarked(block: ApiBlock, log: RepairLog): ApiBlock {
  const { cache_control: _mark, ...rest } = block;
  const fixed: ApiBlock = { ...rest, type: block.type };
  log.on(
    block,
    11,
    `took a cache mark away: ${isThinking(block) ? "it was on thinking" : "there were too many"}`,
    fixed,
  );
  return fixed;
}
