import { isToolUse } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import { type Answer, answerFacts, callsOf, hasSendable, keepOpenText } from "./answer.ts";
import type { QueryConfig } from "./config.ts";
import { type Decision, decide } from "./decide.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { finish } from "./finish.ts";
import { aborted } from "./prepare.ts";
import { CUT_AFTER_CALLS_NOTE } from "./recovery/continue-cut-answer.ts";
import { recover } from "./recovery/recover.ts";
import type { RecoveryPlan } from "./recovery/recovery-step.ts";
import { nextRound } from "./send-back.ts";
import type { QueryState } from "./state.ts";
import { blockEvent } from "./stream.ts";
import {
  closeAnswer,
  discardAnswer,
  metaLine,
  recordAnswer,
  recordUserLines,
  type Written,
  writeBack,
} from "./write-back.ts";

/** Does what was decided about an answer: runs its calls, asks again, or ends the turn. */
export async function* carryOut(
  decision: Decision,
  answer: Answer,
  state: QueryState,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written> {
  switch (decision.type) {
    case "run_tools": {
      const recorded = await recordAnswer(answer, decision.state, deps);
      const written = yield* writeBack(answer, recorded, decision.note, deps, config, signal);
      if (written.type === "stop") return written;
      if (written.type === "finish") return yield* finish(written.state, deps, config, signal);
      const { transition } = written;
      if (transition.type !== "next_round") await deps.record({ type: "transition", transition });
      return yield* nextRound(written.state, transition);
    }
    case "resume_paused": {
      const kept = yield* keepOrDiscard(true, answer, decision.state, deps);
      await deps.record({ type: "transition", transition: { type: "pause_turn" } });
      return yield* nextRound(kept, { type: "pause_turn" });
    }
    case "finish": {
      const kept = yield* keepOrDiscard(true, answer, state, deps);
      return yield* finish(kept, deps, config, signal);
    }
    case "recover":
      return yield* carryOutRecovery(decision, answer, deps, config, signal);
    case "stop": {
      if (decision.terminal.reason !== "aborted") {
        return { type: "stop", terminal: decision.terminal, state: yield* keepOrDiscard(true, answer, state, deps) };
      }
      return yield* leave(answer, state, deps, signal);
    }
    default:
      return decision satisfies never;
  }
}

/** The turn was aborted while the model was asked. */
async function* leave(
  answer: Answer,
  state: QueryState,
  deps: QueryDeps,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written> {
  const closed = await closeAnswer(answer, state, deps, signal);
  for (const message of closed.lines) yield { type: "message", message };
  return { type: "stop", terminal: aborted("stream", signal), state: closed.state };
}

/** The error is withheld while recovery has something to try; only when it has not, the turn ends with it. */
async function* carryOutRecovery(
  { failure, terminal, keepsAnswer, state }: Extract<Decision, { type: "recover" }>,
  answer: Answer,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written> {
  const outputTokens = answer.usage?.output ?? 0;
  const came = { inputTokens: inputTokens(answer), outputTokens, hasProgress: hasSendable(answer) };
  const plan = await recover(failure, state, came, deps, config, signal);
  if (plan === undefined) {
    // Nothing more was tried because there was no time to.
    if (signal.aborted) return yield* leave(answer, state, deps, signal);
    return { type: "stop", terminal, state: yield* keepOrDiscard(keepsAnswer, answer, state, deps) };
  }
  if (plan.keepsAnswer && answer.openText !== undefined) {
    keepOpenText(answer, deps);
    const block = blockEvent(answer);
    if (block) yield block;
  }
  if (plan.keepsAnswer && callsOf(answer).length > 0) {
    return yield* runCutCalls(plan, failure, answer, deps, config, signal);
  }
  const kept = yield* keepOrDiscard(plan.keepsAnswer === true, answer, plan.state, deps);
  const note = plan.note === undefined ? [] : [metaLine(plan.note, deps)];
  const noted = await recordUserLines(note, kept, deps);
  for (const message of note) yield { type: "message", message };
  await deps.record({ type: "transition", transition: plan.transition });
  yield { type: "transition", transition: plan.transition, failure };
  if (plan.action.type === "wait") await deps.sleep(plan.action.ms, signal);
  return { type: "go_on", state: { ...noted, transition: plan.transition } };
}

/** What came of a broken answer holds whole calls: it is used like any other, and the model is told that it broke off. */
async function* runCutCalls(
  { state, transition, action }: RecoveryPlan,
  failure: ModelFailure,
  answer: Answer,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, Written> {
  await deps.record({ type: "transition", transition });
  yield { type: "transition", transition, failure };
  if (action.type === "wait") await deps.sleep(action.ms, signal);
  delete answer.failure;
  const decision = decide(answerFacts(answer), state);
  const told = decision.type === "run_tools" ? { ...decision, note: decision.note ?? CUT_AFTER_CALLS_NOTE } : decision;
  return yield* carryOut(told, answer, state, deps, config, signal);
}

/** Of the request, cached or not. */
const inputTokens = ({ usage }: Answer) =>
  usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;

/** An answer stays only when it leaves no call open and holds something that can be sent back. */
async function* keepOrDiscard(
  keepsAnswer: boolean,
  answer: Answer,
  state: QueryState,
  deps: QueryDeps,
): AsyncGenerator<QueryEvent, QueryState> {
  if (keepsAnswer && !answer.lines.some((line) => isToolUse(line.block)) && hasSendable(answer)) {
    answer.isClosed = true;
    return await recordAnswer(answer, state, deps);
  }
  const uuids = await discardAnswer(answer);
  if (uuids.length > 0) yield { type: "tombstone", uuids };
  return state;
}
