import { PawlError } from "../lib/error.ts";
import type { ModelId } from "../messages/message.ts";
import type { Model, ModelEvent } from "../models/model.ts";
import type { PermissionDenial } from "../permissions/denials.ts";
import type { QueryConfig } from "../query/config.ts";
import type { Compacted, QueryDeps } from "../query/deps.ts";
import { storedTasks } from "../tools/builtin/task-list.ts";
import { TASKS_PART } from "../tools/builtin/task-list-store.ts";
import { storedTodos, TODOS_PART } from "../tools/builtin/todo-write.ts";
import { type CallDeps, callTool, type FinalDecision } from "../tools/call.ts";
import { boundMessage, MAX_MESSAGE_CHARS } from "../tools/result-budget.ts";
import type { ToolCall, ToolOutcome } from "../tools/tool.ts";
import { callDeps } from "./call-deps.ts";
import { compact } from "./compact.ts";
import { loadedTools } from "./deferral.ts";
import { type LostDirectory, lostDirectory } from "./lost-directory.ts";
import { fitQueued } from "./prompt-media.ts";
import { ownAnswerId, record, type Session } from "./session.ts";
import { summarizeToolUse } from "./summarize-tool-use.ts";
import { withProgress } from "./tool-progress.ts";

/** What happens beside the loop's events and shows in frames. */
export type TurnEvents = {
  denied(denial: PermissionDenial, decision: FinalDecision): void;
  compacted(compacted: Compacted): void;
};

/** The loop's dependencies for one turn of this session. */
export function turnDeps(
  session: Session,
  models: readonly Model[],
  snapshot: Pick<QueryConfig, "tools" | "deferredTools">,
  report: TurnEvents,
): QueryDeps {
  const { config, ledger } = session;
  const tokensBefore = ledger.newTokens();
  const partsBefore = config.appState.get().parts;
  const calls = callDeps(session, snapshot, report.denied);
  const directory = lostDirectory(session);
  // What one tool may give reaches the model.
  const maxMessageChars = Math.max(
    MAX_MESSAGE_CHARS,
    ...[...snapshot.tools.values()].map((tool) => tool.maxResultChars),
  );
  return {
    callModel: (request, signal) =>
      ask(session, directory, () => modelNamed(request.model, models).stream(request, signal)),
    runTool: async (call, signal) => (await directory.refusal()) ?? runTool(session, call, signal, calls),
    async boundResults(results) {
      const bounded = await boundMessage(results, maxMessageChars, (toolUseId, text) =>
        config.store.storeOutput(toolUseId, text),
      );
      session.readMarks.settle(bounded.flatMap(({ block, isCut }) => (isCut ? [] : [block.tool_use_id])));
      return bounded;
    },
    stopHooks: config.stopHooks ?? (async () => ({ type: "pass" })),
    ...(config.failureHooks ? { failureHooks: config.failureHooks } : {}),
    async autocompact({ messages, why, model, mayAsk }, signal) {
      const compacted = await compact(session, modelNamed(model, models), messages, why, signal, mayAsk);
      if (compacted) report.compacted(compacted);
      return compacted;
    },
    ...(config.toolUseSummaries && session.askSmallModel
      ? { summarizeToolUse: summarizeToolUse(session.askSmallModel) }
      : {}),
    refreshCredentials: config.refreshCredentials ?? (async () => false),
    loadedTools: () => loadedTools(session),
    takeQueued: () => fitQueued(session.queue.splice(0), session.turn?.controller.signal ?? session.controller.signal),
    spent: () => ({ costUsd: ledger.spentUsd(), tokens: ledger.newTokens() - tokensBefore }),
    hasOpenWork() {
      const { [TODOS_PART]: todos, [TASKS_PART]: tasks } = config.appState.get().parts;
      const isOpen = ({ status }: { status: string }) => status !== "completed";
      return (
        (todos !== partsBefore[TODOS_PART] && storedTodos(todos).some(isOpen)) ||
        (tasks !== partsBefore[TASKS_PART] && storedTasks(tasks).tasks.some(isOpen))
      );
    },
    record: (entry) => record(session, entry),
    ...config.clock,
  } satisfies QueryDeps;
}

/** One request to the model, from a directory that is there. */
async function* ask(
  session: Session,
  directory: LostDirectory,
  stream: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  await directory.leave();
  let given: string | undefined;
  let id = "";
  for await (const event of stream()) {
    if (event.type !== "message_start") {
      yield event;
      continue;
    }
    session.readMarks.settle([]); // an answer that is asked for again has been discarded
    if (event.id !== given) id = ownAnswerId(event.id, session);
    given = event.id;
    yield { ...event, id };
  }
}

async function runTool(session: Session, call: ToolCall, signal: AbortSignal, calls: CallDeps): Promise<ToolOutcome> {
  const { clock, sessionId } = session.config;
  return withProgress(
    call,
    () => callTool(call, signal, calls),
    (progress) => session.frames.push({ ...progress, uuid: clock.uuid(), session_id: sessionId }),
  );
}

function modelNamed(id: ModelId | undefined, models: readonly Model[]): Model {
  const model = id === undefined ? models[0] : models.find((each) => each.id === id);
  if (model === undefined) throw new PawlError("internal", `The turn has no model ${id ?? ""}`);
  return model;
}
