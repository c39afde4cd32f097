import { MAX_TOOLS_LEFT_OUT } from "./bounds.ts";
import type { RecoveryStep } from "./recovery-step.ts";

/** A tool whose schema the provider refuses is left out: the model goes on without it. */
export const leaveToolOut: RecoveryStep = (failure, state, { tools }) => {
  if (failure.type !== "invalid_request" || failure.toolIndex === undefined) return undefined;
  const tool = tools[failure.toolIndex];
  if (tool === undefined || state.leftOutTools.size >= MAX_TOOLS_LEFT_OUT) return undefined;
  return {
    transition: { type: "tool_left_out", tool },
    action: { type: "none" },
    state: { ...state, leftOutTools: new Set([...state.leftOutTools, tool]) },
  };
};
