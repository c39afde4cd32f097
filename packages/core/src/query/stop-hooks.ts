import { MAX_STOP_HOOK_BLOCKS } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { sendBack } from "./send-back.ts";
import type { QueryState } from "./state.ts";
import type { Written } from "./write-back.ts";

/** The model has ended its work: a stop hook may send it back with a reason, bounded, or hold the turn. Undefined when none does. */
export async function* askStopHooks(
  state: QueryState,
  deps: QueryDeps,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written | undefined> {
  const verdict = await deps.stopHooks(state.messages);
  if (verdict.type === "prevent") return { type: "stop", terminal: { reason: "stop_hook_prevented" }, state };
  if (verdict.type === "pass" || signal.aborted || state.stopHookBlocks >= MAX_STOP_HOOK_BLOCKS) return undefined;
  const blocked = { ...state, stopHookBlocks: state.stopHookBlocks + 1 };
  return yield* sendBack(verdict.reasons.join("\n"), { type: "stop_hook_blocking" }, blocked, deps);
}
