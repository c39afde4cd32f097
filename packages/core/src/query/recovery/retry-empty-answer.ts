import { MAX_EMPTY_ANSWERS } from "./bounds.ts";
import { type RecoveryStep, tried } from "./recovery-step.ts";

/** An answer without content is asked for again, bounded. */
export const retryEmptyAnswer: RecoveryStep = (failure, state) => {
  const attempt = state.recovery.emptyAnswers + 1;
  if (failure.type !== "empty_answer" || attempt > MAX_EMPTY_ANSWERS) return undefined;
  return {
    transition: { type: "empty_answer_retry", attempt },
    action: { type: "none" },
    state: tried(state, { emptyAnswers: attempt }),
  };
};
