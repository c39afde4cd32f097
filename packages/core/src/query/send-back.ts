import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { noRecovery, type QueryState } from "./state.ts";
import type { Transition } from "./transition.ts";
import { metaLine, recordUserLines } from "./write-back.ts";

/** The model has ended and is sent back to work: it is told why, and the next round begins. */
export async function* sendBack(
  why: string,
  transition: Transition,
  state: QueryState,
  deps: QueryDeps,
): AsyncGenerator<QueryEvent, { type: "go_on"; state: QueryState }> {
  const line = metaLine(why, deps);
  const noted = await recordUserLines([line], state, deps);
  yield { type: "message", message: line };
  await deps.record({ type: "transition", transition });
  return yield* nextRound(noted, transition);
}

/** An answer was used: what was tried before it no longer counts. */
export async function* nextRound(
  { maxOutputTokensOverride: _, ...state }: QueryState,
  transition: Transition,
): AsyncGenerator<QueryEvent, { type: "go_on"; state: QueryState }> {
  yield { type: "transition", transition };
  return {
    type: "go_on",
    state: { ...state, transition, roundCount: state.roundCount + 1, recovery: noRecovery },
  };
}
