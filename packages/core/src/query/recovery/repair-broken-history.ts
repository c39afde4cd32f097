import { type RecoveryStep, tried } from "./recovery-step.ts";

/** A history that the provider refuses is repaired where it is broken, once. */
export const repairBrokenHistory: RecoveryStep = (failure, state) => {
  if (failure.type !== "invalid_request" || state.recovery.hasRepairedHistory) return undefined;
  return {
    transition: { type: "history_repair_retry" },
    action: { type: "repair_history" },
    state: tried(state, { hasRepairedHistory: true, tries: 0 }),
  };
};
