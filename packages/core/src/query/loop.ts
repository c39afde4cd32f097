import { answerFacts, callsOf, openAnswer } from "./answer.ts";
import { carryOut } from "./carry-out.ts";
import type { QueryConfig } from "./config.ts";
import { decide } from "./decide.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { prepare } from "./prepare.ts";
import type { QueryState } from "./state.ts";
import { stream } from "./stream.ts";
import { type ToolSummaries, toolSummaries } from "./tool-summaries.ts";
import type { Terminal } from "./transition.ts";
import { closeAnswer } from "./write-back.ts";

/** Runs one turn: from the messages in `initial` to the reason it ended. */
export async function* queryLoop(
  initial: QueryState,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Terminal> {
  const summaries = toolSummaries(deps, signal);
  try {
    return yield* rounds(initial, summaries, deps, config, signal);
  } finally {
    await summaries.stop();
  }
}

async function* rounds(
  initial: QueryState,
  summaries: ToolSummaries,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Terminal> {
  let state = initial;
  for (;;) {
    yield* summaries.take();
    const prepared = prepare(state, config, deps, signal);
    if (prepared.type === "stop") return prepared.terminal;
    const answer = openAnswer(state, config, deps, signal);
    try {
      yield { type: "request_start", round: state.roundCount, attempt: answer.attempt };
      yield* stream(prepared.request, answer, deps, config, signal);
      const decision = decide(answerFacts(answer), state);
      const written = yield* carryOut(decision, answer, state, deps, config, signal);
      if (written.type === "stop") {
        yield* summaries.take();
        return written.terminal;
      }
      summaries.begin(callsOf(answer), answer.results);
      state = written.state;
    } finally {
      // Left by an abort of the consumer (`return()`) or a failing dependency: the same clean state as after an abort.
      await closeAnswer(answer, state, deps, signal);
    }
  }
}
