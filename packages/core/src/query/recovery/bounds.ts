/** The arithmetic of recovery, in one place: whatever the mix of failures, a round ends within these. */

/** Times that the same request is sent. */
export const MAX_TRIES_PER_REQUEST = 10;
/** A request that fails may be set to be made again no more often than this. */
export const MAX_RETRIES = 15;
/** Requests since the last answer that was used. */
export const MAX_REQUESTS_PER_ROUND = 30;
/** Answers cut at the output limit that are asked to go on. */
export const MAX_RESUMED_ANSWERS = 3;
/** Cut tool uses that are explained to the model. */
export const MAX_CUT_TOOL_USES = 3;
/** Answers that break off after content had come, before more is done than asking again. */
export const CUTS_BEFORE_RECOVERY = 2;
/** Tools that a turn goes on without because the provider refuses them. */
export const MAX_TOOLS_LEFT_OUT = 10;
/** Empty answers that are asked for again. */
export const MAX_EMPTY_ANSWERS = 3;
/** Overloads running before another model is asked. */
export const OVERLOADS_BEFORE_FALLBACK = 3;
/** What an answer that was cut at the default is given, where the model can. Tokens. */
export const RAISED_OUTPUT_TOKENS = 64_000;
/** The back-off's unit, doubled with each try … Milliseconds. */
export const RETRY_BASE_MS = 500;
/** … up to this. */
const MAX_BACKOFF_MS = 32_000;
/** A longer wait that a provider asks for is the user's to decide. Milliseconds. */
export const MAX_TOLD_WAIT_MS = 60_000;

/** Milliseconds before the next try: exponential, spread by `random` (0 to 1) over its upper half. */
export function backoffMs(tries: number, baseMs: number, random: number): number {
  const whole = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** tries);
  return Math.round(whole / 2 + (whole / 2) * random);
}
