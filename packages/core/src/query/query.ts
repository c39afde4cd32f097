import type { QueryConfig } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { queryLoop } from "./loop.ts";
import type { QueryState } from "./state.ts";
import type { Terminal } from "./transition.ts";

/** One turn. Only when it ends by itself are the slash commands it consumed told as completed; aborts pass through. */
export async function* query(
  initial: QueryState,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Terminal> {
  const terminal = yield* queryLoop(initial, deps, config, signal);
  // Nobody waits for them: the turn has ended, and they cannot change that.
  if ("failure" in terminal) deps.failureHooks?.(terminal.failure);
  if (terminal.reason !== "aborted") {
    for (const command of config.consumedCommands) yield { type: "command_completed", command };
  }
  return terminal;
}
