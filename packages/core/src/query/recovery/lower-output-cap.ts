import { outputCap } from "../prepare.ts";
import type { RecoveryStep } from "./recovery-step.ts";

/** A model that takes no output cap as high as the one that was asked for is asked with the highest that it names, for the whole turn. */
export const lowerOutputCap: RecoveryStep = (failure, state, { model }) => {
  const limit = failure.type === "invalid_request" ? failure.outputLimit : undefined;
  // Only ever lower: it ends.
  if (limit === undefined || limit >= outputCap(state, model)) return undefined;
  return {
    transition: { type: "max_output_tokens_lower", limit },
    action: { type: "none" },
    state: { ...state, outputLimit: limit },
  };
};
