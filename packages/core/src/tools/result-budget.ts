import type { ContentBlock, ToolUseId } from "../messages/message.ts";
import type { ToolResult } from "./tool.ts";
import type { WrittenResult } from "./tool-result.ts";

/** Of a text that is stored whole the model gets this much at each end. Characters. */
const PREVIEW_CHARS = 2_000;
/** What the words around a preview take at most, a long path included. Characters. */
const PREVIEW_WORDS_CHARS = 500;
/** All results of one answer together. Characters. */
export const MAX_MESSAGE_CHARS = 100_000;
/** The line that stands for what is left out. Characters. */
const MAX_CUT_LINE_CHARS = 60;
const STORED_NOTE = "The output is too long to be given whole";

/** Characters kept at each end. */
type Ends = { head: number; tail: number };

/**
 * A text of at most `maxChars` characters stays as it is; of a longer one its two ends are kept, with a line between them
 * that counts what is left out. Never cuts through a character, and what comes out is always well-formed.
 */
export function cutText(text: string, maxChars: number, { head, tail }: Ends): string {
  if (text.length <= maxChars || text.length <= head + tail) return text.toWellFormed();
  const headEnd = isInsidePair(text, head) ? head - 1 : head;
  const tailStart = isInsidePair(text, text.length - tail) ? text.length - tail + 1 : text.length - tail;
  const middle = `\n\n[... ${tailStart - headEnd} characters left out ...]\n\n`;
  return (text.slice(0, headEnd) + middle + text.slice(tailStart)).toWellFormed();
}

const isInsidePair = (text: string, at: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));

/** A text that lies whole at `path`, as the model gets it: size, path, head and tail. */
export function storedPreview(text: string, path: string, chars = PREVIEW_CHARS): string {
  const note = `${STORED_NOTE} (${text.length} characters). All of it is in ${path}: read or search that file for more.`;
  return `${note}\n\n${cutText(text, 0, { head: chars, tail: chars })}`;
}

/**
 * Brings one result under its limit. A longer one says less where it can; else it is stored whole and the model gets a preview
 * of it. What is not text stays and is not counted.
 */
export async function boundResult(
  result: ToolResult,
  limitChars: number,
  store: (text: string) => Promise<string>,
): Promise<ToolResult> {
  const text = textOfResult(result.content);
  if (text.length <= limitChars) return { ...result, content: wellFormed(result.content) };
  if (result.shorten !== undefined) {
    const shorter = await result.shorten(limitChars);
    return { ...result, ...shorter, content: wellFormed(shorter.content), isCut: true };
  }
  const preview = storedPreview(text, await store(text));
  return { ...result, content: withText(result.content, preview) };
}

/** Brings all results of one answer under the limit of one message, largest first. */
export async function boundMessage(
  results: readonly WrittenResult[],
  limitChars: number,
  store: (toolUseId: ToolUseId, text: string) => Promise<string>,
): Promise<WrittenResult[]> {
  const bounded = [...results];
  const share = Math.floor(limitChars / Math.max(1, results.length));
  const previewChars = Math.max(0, Math.min(PREVIEW_CHARS, Math.floor((share - PREVIEW_WORDS_CHARS) / 2)));
  const shortestChars = previewChars * 2 + PREVIEW_WORDS_CHARS;
  const lengthAt = (index: number) => textOfResult(bounded[index]?.block.content ?? "").length;
  let total = results.reduce((sum, { block }) => sum + textOfResult(block.content).length, 0);

  const largestFirst = [...results.keys()].sort((a, b) => lengthAt(b) - lengthAt(a));
  for (const index of largestFirst) {
    const result = bounded[index];
    if (total <= limitChars || result === undefined) break;
    const before = lengthAt(index);
    if (before <= shortestChars) break;
    bounded[index] =
      result.shorten === undefined
        ? await previewed(result, previewChars, store)
        : await sayingLess(result, result.shorten, Math.max(shortestChars, before - (total - limitChars)));
    total += lengthAt(index) - before;
  }
  return bounded;
}

/** Shortened by its tool: no more than what is needed. */
async function sayingLess(
  { block, structured: _, ...rest }: WrittenResult,
  shorten: NonNullable<ToolResult["shorten"]>,
  maxChars: number,
): Promise<WrittenResult> {
  const { content, structured } = await shorten(maxChars);
  return { ...rest, block: { ...block, content: wellFormed(content) }, structured, isCut: true };
}

async function previewed(
  { block, ...rest }: WrittenResult,
  previewChars: number,
  store: (toolUseId: ToolUseId, text: string) => Promise<string>,
): Promise<WrittenResult> {
  const text = textOfResult(block.content);
  // A preview already says where the whole is: only its ends get shorter.
  const preview = text.startsWith(STORED_NOTE)
    ? cutText(text, 0, { head: PREVIEW_WORDS_CHARS - MAX_CUT_LINE_CHARS + previewChars, tail: previewChars })
    : storedPreview(text, await store(block.tool_use_id, text), previewChars);
  return { ...rest, block: { ...block, content: withText(block.content, preview) }, isCut: true };
}

export function textOfResult(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function withText(content: string | readonly ContentBlock[], text: string): string | ContentBlock[] {
  if (typeof content === "string") return text;
  return [{ type: "text", text }, ...content.filter((block) => block.type !== "text")];
}

function wellFormed(content: string | ContentBlock[]): string | ContentBlock[] {
  if (typeof content === "string") return content.toWellFormed();
  return content.map((block) => (block.type === "text" ? { ...block, text: block.text.toWellFormed() } : block));
}
