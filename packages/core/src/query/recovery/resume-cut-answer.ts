import { MAX_RESUMED_ANSWERS } from "./bounds.ts";
import { type RecoveryStep, tried } from "./recovery-step.ts";

export const RESUME_NOTE =
  "Your answer was cut at the output limit. Go on exactly where it stops, in the middle of a sentence if need be: no apology, no summary of what you have said. Make what is left smaller pieces.";

/** What came of a cut answer is kept, and the model goes on from there: nothing before it changes. */
export const resumeCutAnswer: RecoveryStep = (failure, state) => {
  if (failure.type !== "output_truncated" || failure.by !== "output_limit") return undefined;
  const attempt = state.recovery.resumedAnswers + 1;
  if (failure.cutTool !== undefined || attempt > MAX_RESUMED_ANSWERS) return undefined;
  return {
    transition: { type: "max_output_tokens_recovery", attempt },
    action: { type: "none" },
    state: tried(state, { resumedAnswers: attempt }),
    keepsAnswer: true,
    note: RESUME_NOTE,
  };
};
