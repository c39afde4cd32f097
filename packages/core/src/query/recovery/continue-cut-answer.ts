import type { ModelFailure } from "../../models/failure.ts";
import type { QueryState } from "../state.ts";
import { CUTS_BEFORE_RECOVERY } from "./bounds.ts";
import { isCut } from "./cut.ts";
import { type RecoveryFacts, type RecoveryStep, tried } from "./recovery-step.ts";
import { waitMs } from "./retry-request.ts";

const CUT_NOTE =
  "The connection broke in the middle of your answer; what came of it is above. Go on exactly where it stops: no apology, no summary of what you have said.";

export const CUT_AFTER_CALLS_NOTE =
  "The connection broke in the middle of your answer: what you meant to say or to call after the calls above did not arrive.";

/**
 * An answer that breaks off again after content had come would break off at the same place for ever: what came is kept and the
 * model goes on from it. Each time counts as a try.
 */
export const continueCutAnswer: RecoveryStep = (failure, state, facts) => {
  if (facts.streamCutRecovery !== "continue" || !facts.hasProgress) return undefined;
  const again = triedAgain(failure, state, facts);
  if (again === undefined) return undefined;
  return {
    transition: { type: "cut_answer_continue", ...again.facts },
    action: { type: "wait", ms: again.facts.delayMs },
    state: again.state,
    keepsAnswer: true,
    note: CUT_NOTE,
  };
};

/** An answer that breaks off again is asked for in one piece, from then on in this round. */
export const askInOnePiece: RecoveryStep = (failure, state, facts) => {
  if (facts.streamCutRecovery !== "non_stream" || state.recovery.asksInOnePiece) return undefined;
  const again = triedAgain(failure, state, facts);
  if (again === undefined) return undefined;
  return {
    transition: { type: "non_stream_retry", ...again.facts },
    action: { type: "wait", ms: again.facts.delayMs },
    state: tried(again.state, { asksInOnePiece: true }),
  };
};

/** Another try for an answer that has broken off before; undefined for the first time, and when there are no more tries. */
function triedAgain(failure: ModelFailure, state: QueryState, facts: RecoveryFacts) {
  const { cuts, tries } = state.recovery;
  if (!isCut(failure) || cuts + 1 < CUTS_BEFORE_RECOVERY || tries >= facts.maxRetries) return undefined;
  const delayMs = waitMs(failure, tries, facts);
  if (delayMs === undefined) return undefined;
  return {
    facts: { attempt: tries + 1, delayMs, failure: failure.type },
    state: tried(state, { cuts: cuts + 1, tries: tries + 1, overloads: 0 }),
  };
}
