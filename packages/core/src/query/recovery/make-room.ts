import type { ModelFailure } from "../../models/failure.ts";
import type { QueryState } from "../state.ts";
import { type RecoveryAction, type RecoveryPlan, type RecoveryStep, tried } from "./recovery-step.ts";
import { RESUME_NOTE } from "./resume-cut-answer.ts";

/** The request is too long: collapses that are staged take effect, once. */
export const drainCollapses: RecoveryStep = (failure, state) => {
  if (!needsRoom(failure) || state.recovery.hasDrained) return undefined;
  const transition = { type: "collapse_drain_retry", committed: 0 } as const;
  return makeRoom(failure, tried(state, { hasDrained: true, tries: 0 }), transition, { type: "drain" });
};

/** The request is too long, or its media are refused: the conversation is compacted, once. */
export const reactiveCompact: RecoveryStep = (failure, state) => {
  if (!(needsRoom(failure) || failure.type === "media") || state.recovery.hasCompacted) return undefined;
  const transition = { type: "reactive_compact_retry" } as const;
  return makeRoom(failure, tried(state, { hasCompacted: true, tries: 0 }), transition, { type: "compact" });
};

const needsRoom = (failure: ModelFailure) =>
  failure.type === "prompt_too_long" || (failure.type === "output_truncated" && failure.by === "context_window");

function makeRoom(
  failure: ModelFailure,
  state: QueryState,
  transition: RecoveryPlan["transition"],
  action: RecoveryAction,
): RecoveryPlan {
  const goesOn = failure.type === "output_truncated" ? { keepsAnswer: true, note: RESUME_NOTE } : {};
  return { transition, action, state, ...goesOn };
}
