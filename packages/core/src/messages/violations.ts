import type { ApiMessage } from "./api-message.ts";
import { checkBody, checkCacheMarks } from "./checks/body.ts";
import { checkMedia } from "./checks/media.ts";
import { type Report, readMessages, type Violation } from "./checks/seen.ts";
import { checkThinking } from "./checks/thinking.ts";
import { checkResultContent, checkServerTools, checkToolPairs, checkToolUses } from "./checks/tools.ts";
import { checkTurns } from "./checks/turns.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { refusesOverflow, type ViolationOptions, windowTokens } from "./rule-options.ts";

export type { Violation } from "./checks/seen.ts";
export type { RuleOptions, ViolationOptions } from "./rule-options.ts";

/**
 * Finds what in `messages` the Messages API would refuse.
 *
 * Judged as a `history` (default), which may end with an answer whose tool uses are still open, or as a `request`, which
 * must be fit to be sent as it is. Only role and content are judged, and of an answer `stop_reason` and `model`. Rules are
 * numbered as in the documentation of this project: 1 first and last, 2 turns, 3 nothing empty, 4 calls and results,
 * 5 tool uses, 6 results, 7 thinking, 8 server tools, 9 media, 10 size and UTF-8, 11 cache marks, 12 `max_tokens`.
 *
 * @returns the violations by rule, none for messages fit to be sent. Never throws, whatever it is given.
 * @see https://docs.anthropic.com/en/api/messages
 */
export function violations(messages: readonly ApiMessage[], options: ViolationOptions = {}): Violation[] {
  const found: Violation[] = [];
  const report: Report = (rule, at, message) => found.push({ rule, at, message });
  const seen = readMessages(messages, report);
  checkTurns(seen, options, report);
  checkToolPairs(seen, options, report);
  checkToolUses(seen, report);
  checkResultContent(seen, report);
  checkThinking(seen, options, report);
  checkServerTools(seen, report);
  checkMedia(seen, options, report);
  checkBody(seen, report);
  checkCacheMarks(seen, report);
  checkMaxTokens(messages, options, report);
  return found.sort((one, other) => one.rule - other.rule);
}

/** Rule 12: room for the answer. */
function checkMaxTokens(messages: readonly ApiMessage[], options: ViolationOptions, report: Report): void {
  const { maxTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = options;
  if (maxTokens === undefined) return;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) report(12, "max_tokens", "is not a whole number from 1 on");
  if (maxTokens > maxOutputTokens) report(12, "max_tokens", `${maxTokens}, the model gives at most ${maxOutputTokens}`);
  if (!refusesOverflow(options) || !Array.isArray(messages)) return;
  const input = estimateTokens(messages);
  if (input + maxTokens > windowTokens(options)) {
    report(12, "max_tokens", `${maxTokens} beside about ${input} of input pass the window of ${windowTokens(options)}`);
  }
}
