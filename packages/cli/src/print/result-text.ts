import type { SdkApiRetry, SdkMessage, SdkResult } from "@pawl/core";
import { oneLine, printable } from "./terminal-text.ts";

/** What went wrong, in one text that is safe to print: a server may have written it. */
export function errorText(result: SdkResult): string {
  return printable(rawErrorText(result));
}

function rawErrorText(result: SdkResult): string {
  if (result.stop_reason === "refusal") return `The model refused to answer. ${result.result ?? ""}`.trimEnd();
  if (result.errors !== undefined && result.errors.length > 0) return result.errors.join("; ");
  return result.result || `The turn ended with ${result.terminal_reason}`;
}

/** What a person should know and the answer does not hold: a wait, a warning of the engine. In one line. */
export function noticeOf(message: SdkMessage): string | undefined {
  if (message.type !== "system") return undefined;
  if (message.subtype === "api_retry") return retryNote(message);
  if (message.subtype === "notification") return `you are called: ${oneLine(message.text)}`;
  const isNotice = message.subtype === "informational" && ["notice", "warning"].includes(message.level);
  return isNotice ? oneLine(message.content) : undefined;
}

/** The answer; JSON when it was asked for by a schema. */
export function answerText({ result = "", structured_output: output }: SdkResult): string {
  return output === undefined ? result.replace(/\n+$/, "") : JSON.stringify(output);
}

const MAX_REASON_CHARS = 160;

/** Why a request is made again, in one short line. */
export function retryReason({ reason }: SdkApiRetry): string {
  const line = oneLine(reason);
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS).toWellFormed()}…` : line;
}

/** `Overloaded (HTTP 529): trying again in 4.0 s (2 of 9)` */
export function retryNote(retry: SdkApiRetry): string {
  const { retry_delay_ms, attempt, max_retries } = retry;
  return `${retryReason(retry)}: ${untilRetry(retry_delay_ms)} (${attempt} of ${max_retries})`;
}

/** Shorter waits are not counted down. Milliseconds. */
const AT_ONCE_MS = 50;

export const untilRetry = (ms: number): string =>
  ms < AT_ONCE_MS ? "trying again now" : `trying again in ${seconds(ms)}`;

/** `3 rounds · 1,204 tokens in, 210 out · $0.0123 · 8.2 s`; a price that is not known is said, never shown as nothing. */
export function summaryOf(result: SdkResult): string {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = result.usage;
  const input = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  const cost = result.total_cost_usd;
  return [
    `${result.num_turns} ${result.num_turns === 1 ? "round" : "rounds"}`,
    `${count(input)} tokens in, ${count(output_tokens)} out`,
    ...(cost === null ? ["cost unknown"] : cost === 0 ? [] : [`$${cost.toFixed(4)}`]),
    seconds(result.duration_ms),
  ].join(" · ");
}

export const count = (value: number): string => value.toLocaleString("en-US");
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
