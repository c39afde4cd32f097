import type { ApiMessage } from "./api-message.ts";
import { isRecord } from "./api-shape.ts";

/** What the rules of a list of messages depend on. */
export type RuleOptions = {
  /** `history` (default): may end with an open answer. `request`: must be fit to be sent as it is. */
  as?: "history" | "request";
  /** The model the request is for: thinking of another model is then a violation, and its window decides how much media fits. */
  model?: string;
  /** Tokens of the model's window; without it, known from `model`. */
  contextTokens?: number;
};

/** Beside the rules that a repair can restore, those that only the caller can. */
export type ViolationOptions = RuleOptions & {
  /** With `received`: whether the thinking of an open tool cycle must all be there. A thinking setting of a request does too. */
  thinking?: "on" | "off" | { type: string };
  /** The answers as they came: thinking must be equal to theirs. */
  received?: readonly ApiMessage[];
  /** `max_tokens` of the request. */
  maxTokens?: number;
  /** The most the model gives in one answer, in tokens. */
  maxOutputTokens?: number;
};

export const MAX_BODY_BYTES = 32 * 1024 * 1024;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024; // as base64
export const MAX_IMAGE_SIDE_PX = 8000;
export const MANY_IMAGES = 20;
export const MAX_SIDE_AMONG_MANY_PX = 2000; // for each image once there are more than MANY_IMAGES
export const MAX_PDF_BYTES = 32 * 1024 * 1024; // as base64
export const MAX_CACHE_MARKS = 4;
export const MAX_TOOL_NAME_CHARS = 128;

const SMALL_WINDOW_TOKENS = 200_000;
const LARGE_WINDOW_TOKENS = 1_000_000;
const MEDIA_OF_SMALL_WINDOW = { maxImages: 100, maxPdfPages: 100 };
const MEDIA_OF_LARGE_WINDOW = { maxImages: 600, maxPdfPages: 600 };

export type MediaLimits = { maxImages: number; maxPdfPages: number };

/** How much media a request may hold. With nothing known of the model, the larger: repairs must not take what would have fitted. */
export function mediaLimits(options: RuleOptions): MediaLimits {
  return windowTokens(options) <= SMALL_WINDOW_TOKENS ? MEDIA_OF_SMALL_WINDOW : MEDIA_OF_LARGE_WINDOW;
}

/** Whether the model refuses a request whose input and output cap pass its window; those with a large one just stop. */
export const refusesOverflow = (options: RuleOptions): boolean => windowTokens(options) <= SMALL_WINDOW_TOKENS;

/** Tokens. An alias names a current model; an unknown id is taken for a small one. */
export function windowTokens({ contextTokens, model }: RuleOptions): number {
  if (contextTokens !== undefined) return contextTokens;
  if (model === undefined) return LARGE_WINDOW_TOKENS;
  const isLarge = /\[1m\]$/i.test(model) || /^claude-[a-z]+-[5-9](-|$)/.test(model) || /^[a-z]+$/.test(model);
  return isLarge ? LARGE_WINDOW_TOKENS : SMALL_WINDOW_TOKENS;
}

/** Whether two ids name one model: a date or a window suffix makes no other. What is no id, such as an alias, fits any. */
export function isSameModel(one: string, other: string): boolean {
  if (!/\d/.test(one) || !/\d/.test(other)) return true;
  return bareId(one) === bareId(other);
}

const bareId = (model: string): string => model.replace(/\[[^\]]*\]$/, "").replace(/[-@]\d{8}$/, "");

export function isThinkingOn(thinking: ViolationOptions["thinking"]): boolean {
  return isRecord(thinking) ? thinking.type !== "disabled" : thinking === "on";
}
