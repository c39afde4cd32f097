import { DEFAULT_MAX_OUTPUT_TOKENS } from "../config.ts";
import type { QueryState } from "../state.ts";
import { MAX_RESUMED_ANSWERS } from "./bounds.ts";
import { type RecoveryFacts, type RecoveryStep, tried } from "./recovery-step.ts";

export const RESUME_NOTE =
  "Your answer was cut at the output limit. Go on exactly where it stops, in the middle of a sentence if need be: no apology, no summary of what you have said. Make what is left smaller pieces.";

/** What came of a cut answer is kept, and the model goes on from there: nothing before it changes. */
export const resumeCutAnswer: RecoveryStep = (failure, state, facts) => {
  if (failure.type !== "output_truncated" || failure.by !== "output_limit") return undefined;
  const attempt = state.recovery.resumedAnswers + 1;
  if (failure.cutTool !== undefined || attempt > MAX_RESUMED_ANSWERS) return undefined;
  return {
    transition: { type: "max_output_tokens_recovery", attempt },
    action: { type: "none" },
    state: tried(withinWindow(state, facts), { resumedAnswers: attempt }),
    keepsAnswer: true,
    note: RESUME_NOTE,
  };
};

/** What came is part of the next request: a raised cap leaves room for it. */
function withinWindow(state: QueryState, { model, inputTokens, outputTokens }: RecoveryFacts): QueryState {
  if (state.maxOutputTokensOverride === undefined) return state;
  const room = Math.max(DEFAULT_MAX_OUTPUT_TOKENS, model.limits.contextTokens - inputTokens - outputTokens);
  return { ...state, maxOutputTokensOverride: Math.min(state.maxOutputTokensOverride, room) };
}
