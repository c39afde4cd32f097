import { cutNote } from "../decide.ts";
import { MAX_CUT_TOOL_USES } from "./bounds.ts";
import { type RecoveryStep, tried } from "./recovery-step.ts";

/** A tool use whose input was cut never ran: the model is told so, and sends it again in smaller pieces. */
export const feedBackCutToolUse: RecoveryStep = (failure, state) => {
  if (failure.type !== "output_truncated" || failure.cutTool === undefined) return undefined;
  const attempt = state.recovery.cutToolUses + 1;
  if (attempt > MAX_CUT_TOOL_USES) return undefined;
  return {
    transition: { type: "malformed_tool_use_retry", attempt },
    action: { type: "none" },
    state: tried(state, { cutToolUses: attempt }),
    keepsAnswer: true,
    note: cutNote(failure.cutTool),
  };
};
