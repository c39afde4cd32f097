import { groupByRound } from "../history/rounds.ts";
import { estimateTokens } from "../messages/estimate-tokens.ts";
import type { Message } from "../messages/message.ts";

/** At most this part of the window is kept behind a summary. */
const KEPT_PART = 1 / 4;

type Cut = { head: Message[]; tail: Message[] };

/**
 * Where to cut: the newest whole rounds that fit a quarter of the window are kept. A round holds an answer and the results of
 * its calls, so that no cut comes between them. The first round is always summarised: a cut without a head gains nothing.
 */
export function cutPoint(messages: readonly Message[], contextTokens: number): Cut {
  const rounds = groupByRound(messages);
  let room = contextTokens * KEPT_PART;
  let first = rounds.length;
  while (first > 1) {
    const round = rounds[first - 1] ?? [];
    room -= estimateTokens(round);
    if (room < 0 || round[0]?.role !== "assistant") break;
    first -= 1;
  }
  return { head: rounds.slice(0, first).flat(), tail: rounds.slice(first).flat() };
}

/** Without the oldest of its rounds: about a quarter of them, at least one. Undefined when only one is left. */
export function withoutOldest(messages: readonly Message[]): Message[] | undefined {
  const rounds = groupByRound(messages);
  const count = Math.max(1, Math.floor(rounds.length / 4));
  return rounds.length < 2 ? undefined : rounds.slice(count).flat();
}
