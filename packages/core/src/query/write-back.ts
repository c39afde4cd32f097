import type { ContentBlock, UserMessage, Uuid } from "../messages/message.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { INTERRUPTED, INTERRUPTED_TOOL_USE, type WrittenResult, writtenResult } from "../tools/tool-result.ts";
import { type Answer, callsOf, lineMessage, trimUnsendable, wholeMessage } from "./answer.ts";
import { budgetWarning, nearlyUsed } from "./budgets.ts";
import { type QueryConfig, REPEATS_POINTED_OUT, REPEATS_STUCK } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { aborted, timeLimitOf } from "./prepare.ts";
import { appendAssistant, appendUser, type QueryState } from "./state.ts";
import { type OutputStep, outputOfCalls } from "./structured-output.ts";
import { countedCalls, lastCallNote } from "./tool-call-limit.ts";
import type { Terminal, Transition } from "./transition.ts";

export type Written = { type: "go_on"; state: QueryState } | { type: "stop"; terminal: Terminal; state: QueryState };

/** What follows from the results of an answer: the next round and why, or the end of the model's work, or of the turn. */
type WrittenBack =
  | Extract<Written, { type: "stop" }>
  | { type: "finish"; state: QueryState }
  | { type: "go_on"; state: QueryState; transition: Transition };

/** Writes the lines of an answer to the journal and the answer to the projection. */
export async function recordAnswer(answer: Answer, state: QueryState, deps: QueryDeps): Promise<QueryState> {
  trimUnsendable(answer);
  const whole = wholeMessage(answer);
  answer.isRecorded = true;
  if (whole === undefined) return state;
  appendAssistant(state.messages, whole);
  let leaf = state.leaf;
  const writes: Promise<void>[] = [];
  for (let index = 0; index < answer.lines.length; index++) {
    const message = lineMessage(answer, index);
    if (message === undefined) continue;
    writes.push(deps.record({ type: "message", message, parent: leaf, isSidechain: false }));
    leaf = message.uuid;
  }
  await Promise.all(writes);
  return { ...state, leaf };
}

/** Waits for the calls of an answer and gives their results to the history, in call order; queued input joins after them. */
export async function* writeBack(
  answer: Answer,
  recorded: QueryState,
  note: string | undefined,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, WrittenBack> {
  answer.executor.answerEnded();
  const outcomes = await answer.executor.outcomes();
  const { state, lines } = await recordResults(answer, outcomes, recorded, deps);
  for (const message of lines) yield { type: "message", message };

  const stop = stopAfter(outcomes, signal);
  const repeat = countRepeats(answer, lines, state.repeat);
  const toolCalls = state.toolCalls + countedCalls(callsOf(answer), config).length;
  const budgets = nearlyUsed(state, config, deps.spent());
  const notes = [
    note,
    stop?.note,
    repeat.count === REPEATS_POINTED_OUT ? REPEAT_NOTE : undefined,
    toolCalls > state.toolCalls && toolCalls === config.maxToolCalls ? lastCallNote(toolCalls) : undefined,
    ...(stop ? [] : budgets.used.map(budgetWarning)),
  ].filter((text) => text !== undefined);
  if (!stop) for (const content of budgets.used) yield { type: "notice", content };
  const queued = stop ? [] : await deps.takeQueued();
  const extra = [...notes.map((text) => metaLine(text, deps)), ...queued];
  const recordedExtra = await recordUserLines(extra, state, deps);
  for (const message of extra) yield { type: "message", message };

  const next = { ...recordedExtra, repeat, toolCalls, warned: budgets.warned };
  if (stop) return { type: "stop", terminal: stop.terminal, state: next };
  const output = outputOfCalls(callsOf(answer), outcomes, next, config);
  return afterResults(output, next, config, queued.length > 0);
}

function afterResults(output: OutputStep, state: QueryState, config: QueryConfig, hasQueued: boolean): WrittenBack {
  if (output.type === "give_up") return { type: "stop", terminal: { reason: "structured_output_failed" }, state };
  if (config.maxToolCalls !== undefined && state.toolCalls > config.maxToolCalls) {
    return { type: "stop", terminal: { reason: "budget_exceeded", limitToolCalls: config.maxToolCalls }, state };
  }
  if (output.type === "retry") {
    const { attempt } = output;
    return { type: "go_on", state: output.state, transition: { type: "structured_output_retry", attempt } };
  }
  if (state.repeat.count >= REPEATS_STUCK) return { type: "stop", terminal: { reason: "stuck" }, state };
  if (output.type === "given" && output.isLastWord && !hasQueued) return { type: "finish", state: output.state };
  return { type: "go_on", state: output.type === "given" ? output.state : state, transition: { type: "next_round" } };
}

/** Ends an answer that was left: cancels its calls, and gives each a result. Safe to call again. */
export async function closeAnswer(
  answer: Answer,
  state: QueryState,
  deps: QueryDeps,
  signal: AbortSignal,
): Promise<{ state: QueryState; lines: UserMessage[] }> {
  if (answer.isClosed) return { state, lines: [] };
  answer.executor.cancel("abort");
  const outcomes = await answer.executor.outcomes();
  const recorded = answer.isRecorded ? afterLines(answer, state) : await recordAnswer(answer, state, deps);
  const written = await recordResults(answer, outcomes, recorded, deps);
  const marker = metaLine(interruptedNote(signal, outcomes.length > 0), deps);
  return { state: await recordUserLines([marker], written.state, deps), lines: [...written.lines, marker] };
}

const afterLines = (answer: Answer, state: QueryState): QueryState => ({
  ...state,
  leaf: answer.lines.at(-1)?.uuid ?? state.leaf,
});

/** An answer that is not used: its calls are cancelled and nothing of it reaches the history. */
export async function discardAnswer(answer: Answer): Promise<readonly Uuid[]> {
  for (const call of callsOf(answer)) answer.usedIds.delete(call.id);
  answer.executor.cancel("discarded_answer");
  await answer.executor.outcomes();
  answer.isClosed = true;
  return answer.lines.map((line) => line.uuid);
}

export async function recordUserLines(
  lines: readonly UserMessage[],
  state: QueryState,
  deps: QueryDeps,
): Promise<QueryState> {
  appendUser(state.messages, lines);
  let leaf = state.leaf;
  const writes = lines.map((message) => {
    const write = deps.record({ type: "message", message, parent: leaf, isSidechain: false });
    leaf = message.uuid;
    return write;
  });
  await Promise.all(writes);
  return { ...state, leaf };
}

export function metaLine(text: string, deps: Pick<QueryDeps, "uuid">): UserMessage {
  return { role: "user", uuid: deps.uuid(), content: [{ type: "text", text }], isMeta: true };
}

async function recordResults(
  answer: Answer,
  outcomes: readonly ToolOutcome[],
  state: QueryState,
  deps: QueryDeps,
): Promise<{ state: QueryState; lines: UserMessage[] }> {
  const calls = callsOf(answer);
  const results = outcomes.flatMap((outcome, index) => {
    const call = calls[index];
    return call ? [writtenResult(call, outcome)] : [];
  });
  const bounded = results.length > 0 ? await deps.boundResults(results) : [];
  const sources = answer.lines.filter((line) => line.block.type === "tool_use");
  const lines = bounded.map((result, index) => resultLine(result, sources[index]?.uuid, deps));
  answer.isClosed = true;
  answer.results = bounded;
  return { state: await recordUserLines(lines, state, deps), lines };
}

function resultLine(result: WrittenResult, source: Uuid | undefined, deps: QueryDeps): UserMessage {
  return {
    role: "user",
    uuid: deps.uuid(),
    content: [result.block],
    ...(result.structured === undefined ? {} : { toolUseResult: result.structured }),
    ...(source === undefined ? {} : { sourceToolAssistantUuid: source }),
    ...(result.denialKind === undefined ? {} : { toolDenialKind: result.denialKind }),
  };
}

function stopAfter(
  outcomes: readonly ToolOutcome[],
  signal: AbortSignal,
): { terminal: Terminal; note?: string } | undefined {
  if (signal.aborted) return { terminal: aborted("tools", signal), note: interruptedNote(signal, true) };
  if (outcomes.some((outcome) => outcome.type === "denied" && outcome.interrupt)) {
    return { terminal: { reason: "aborted", in: "tools" }, note: INTERRUPTED_TOOL_USE };
  }
  const broken = outcomes.find((outcome) => outcome.type === "session_broken");
  if (broken) return { terminal: { reason: "setup_failed", message: broken.message } };
  return outcomes.some((outcome) => outcome.type === "stopped_by_hook")
    ? { terminal: { reason: "hook_stopped" } }
    : undefined;
}

const OUT_OF_TIME = "[Request stopped: the time that this turn may take is over]";

function interruptedNote(signal: AbortSignal, hasCalls: boolean): string {
  if (timeLimitOf(signal) !== undefined) return OUT_OF_TIME;
  return hasCalls ? INTERRUPTED_TOOL_USE : INTERRUPTED;
}

const REPEAT_NOTE = `You have made the same call ${REPEATS_POINTED_OUT} times running and got the same result each time. Try something else, or say what is in the way.`;

/** Calls of one answer count once together: the model has not seen the result of the first when it makes the second. */
function countRepeats(
  answer: Answer,
  lines: readonly UserMessage[],
  before: QueryState["repeat"],
): QueryState["repeat"] {
  const keys = callsOf(answer).map((call, index) => {
    return `${call.name}\n${JSON.stringify(call.input)}\n${resultKey(lines[index]?.content[0])}`;
  });
  const key = [...new Set(keys)].join("\n");
  return { key, count: key === before.key ? before.count + 1 : 1 };
}

function resultKey(block: ContentBlock | undefined): string {
  return block?.type === "tool_result" ? JSON.stringify(block.content) : "";
}
