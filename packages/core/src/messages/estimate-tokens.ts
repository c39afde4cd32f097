import type { ApiMessage } from "./api-message.ts";
import { isBlock, isRecord } from "./api-shape.ts";
import { jsonBytes } from "./json-value.ts";
import { readImage } from "./media/image.ts";
import { base64Of } from "./media/media-fault.ts";
import { readPdf } from "./media/pdf.ts";
import type { Message } from "./message.ts";

const BYTES_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 750;
const MAX_SEEN_SIDE_PX = 1568; // larger images are scaled down to this before the model sees them
const TOKENS_OF_UNREAD_IMAGE = 1600;
const TOKENS_PER_PDF_PAGE = 3000; // its text and its picture
const PDF_BYTES_PER_PAGE = 50_000; // when the pages cannot be counted

/**
 * Estimates the tokens of `messages` without calling the model.
 *
 * Text counts UTF-8 bytes / 4, rounded up for each message; an image counts its pixels / 750 as the model sees it, a PDF
 * 3,000 a page. Takes the API's form and the engine's. Good for deciding when to compact, never for billing: the API's
 * `usage` is the truth.
 *
 * @returns tokens, 0 for an empty list. Never throws.
 * @see https://docs.anthropic.com/en/docs/build-with-claude/token-counting
 */
export function estimateTokens(messages: readonly (ApiMessage | Message)[]): number {
  return messages.reduce((total, message) => total + tokensOf(message), 0);
}

function tokensOf(message: unknown): number {
  const content = isRecord(message) ? message["content"] : undefined;
  if (typeof content === "string") return Math.ceil(Buffer.byteLength(content) / BYTES_PER_TOKEN);
  const blocks = Array.isArray(content) ? content.map(rawBlock).flatMap((block) => [block, ...insideOf(block)]) : [];
  const bytes = blocks.reduce<number>((total, block) => total + textBytes(block), 0);
  const tokens = blocks.reduce<number>((total, block) => total + mediaTokens(block), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN) + tokens;
}

/** The engine keeps a block of unknown kind inside one of its own. */
const rawBlock = (block: unknown): unknown => (isRecord(block) && block["type"] === "other" ? block["raw"] : block);

const insideOf = (block: unknown): unknown[] =>
  isBlock(block) && block.type === "tool_result" && Array.isArray(block["content"])
    ? block["content"].map(rawBlock)
    : [];

function textBytes(block: unknown): number {
  if (typeof block === "string") return Buffer.byteLength(block);
  if (!isBlock(block)) return 0;
  const { text, thinking, signature, data, name, input, content } = block;
  switch (block.type) {
    case "text":
      return stringBytes(text);
    case "thinking": // a withheld text stands in its signature
      return stringBytes(thinking) || stringBytes(signature);
    case "redacted_thinking":
      return stringBytes(data);
    case "tool_use":
      return stringBytes(name) + jsonBytes(input);
    case "tool_result":
      return stringBytes(content);
    case "image":
    case "document":
      return 0;
    default:
      return jsonBytes(block);
  }
}

const stringBytes = (value: unknown): number => (typeof value === "string" ? Buffer.byteLength(value) : 0);

function mediaTokens(block: unknown): number {
  if (!isBlock(block)) return 0;
  if (block.type === "image") return imageTokens(base64Of(block));
  return block.type === "document" ? documentTokens(base64Of(block)) : 0;
}

function documentTokens(base64: string | undefined): number {
  if (base64 === undefined) return TOKENS_PER_PDF_PAGE;
  const pages = readPdf(base64)?.pages ?? Math.ceil((base64.length * 3) / 4 / PDF_BYTES_PER_PAGE);
  return pages * TOKENS_PER_PDF_PAGE;
}

function imageTokens(base64: string | undefined): number {
  const facts = base64 === undefined ? undefined : readImage(base64);
  if (facts === undefined) return TOKENS_OF_UNREAD_IMAGE;
  const scale = Math.min(1, MAX_SEEN_SIDE_PX / Math.max(facts.width, facts.height));
  return Math.max(1, Math.ceil((facts.width * scale * (facts.height * scale)) / PIXELS_PER_TOKEN));
}
