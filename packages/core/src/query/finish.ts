import { budgetContinue, costTerminal, GO_ON_NOTE } from "./budgets.ts";
import type { QueryConfig } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { sendBack } from "./send-back.ts";
import type { QueryState } from "./state.ts";
import { askStopHooks } from "./stop-hooks.ts";
import { outputAtEnd } from "./structured-output.ts";
import type { Terminal } from "./transition.ts";
import type { Written } from "./write-back.ts";

/** The model has ended its work. Stop hooks, the output that is wanted and the task budget may send it back, in this order. */
export async function* finish(
  state: QueryState,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written> {
  const spentUp = costTerminal(config, deps.spent());
  if (spentUp) return { type: "stop", terminal: spentUp, state };

  const hooks = yield* askStopHooks(state, deps, signal);
  if (hooks) return hooks;

  const output = outputAtEnd(state, config);
  if (output.type === "give_up") return { type: "stop", terminal: { reason: "structured_output_failed" }, state };
  if (output.type === "retry") {
    const transition = { type: "structured_output_retry", attempt: output.attempt } as const;
    return yield* sendBack(output.note, transition, output.state, deps);
  }

  const attempt = budgetContinue(state, config, deps.spent(), deps.hasOpenWork());
  if (attempt === undefined) return { type: "stop", terminal: completed(state), state };
  const going = { ...state, budgetContinues: attempt };
  return yield* sendBack(GO_ON_NOTE, { type: "budget_continue", attempt }, going, deps);
}

const completed = ({ output }: QueryState): Terminal =>
  output === undefined ? { reason: "completed" } : { reason: "completed", structuredOutput: output.value };
