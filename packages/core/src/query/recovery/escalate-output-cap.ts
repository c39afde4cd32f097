import { DEFAULT_MAX_OUTPUT_TOKENS } from "../config.ts";
import { RAISED_OUTPUT_TOKENS } from "./bounds.ts";
import type { RecoveryStep } from "./recovery-step.ts";

/** A cut answer is asked for again with a higher output cap: once, with nothing added to the history. */
export const escalateOutputCap: RecoveryStep = (failure, state, { model, inputTokens }) => {
  if (failure.type !== "output_truncated" || failure.by !== "output_limit") return undefined;
  if (state.maxOutputTokensOverride !== undefined) return undefined;
  const room = model.limits.contextTokens - inputTokens;
  const maxOutputTokensOverride = Math.min(
    RAISED_OUTPUT_TOKENS,
    model.limits.maxOutputTokens,
    room,
    state.outputLimit ?? RAISED_OUTPUT_TOKENS,
  );
  if (maxOutputTokensOverride <= DEFAULT_MAX_OUTPUT_TOKENS) return undefined;
  return {
    transition: { type: "max_output_tokens_escalate" },
    action: { type: "none" },
    state: { ...state, maxOutputTokensOverride },
  };
};
