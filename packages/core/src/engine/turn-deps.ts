import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { PawlError } from "../lib/error.ts";
import type { ModelId, ToolUseId } from "../messages/message.ts";
import type { Model, ModelEvent } from "../models/model.ts";
import type { PermissionDenial } from "../permissions/denials.ts";
import type { Compacted, QueryDeps } from "../query/deps.ts";
import { storedTodos, TODOS_PART } from "../tools/builtin/todo-write.ts";
import { type CallDeps, callTool, type DecidedCall, type FinalDecision } from "../tools/call.ts";
import { boundMessage, boundResult, MAX_MESSAGE_CHARS } from "../tools/result-budget.ts";
import type { Tool, ToolCall, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { compact } from "./compact.ts";
import { decideCall } from "./permission.ts";
import { MAX_HASHED_BYTES } from "./restore.ts";
import { record, type Session } from "./session.ts";

/** What happens beside the loop's events and shows in frames. */
export type TurnEvents = {
  denied(denial: PermissionDenial, decision: FinalDecision): void;
  compacted(compacted: Compacted): void;
};

/** The loop's dependencies for one turn of this session. */
export function turnDeps(
  session: Session,
  models: readonly Model[],
  tools: ReadonlyMap<string, Tool>,
  report: TurnEvents,
): QueryDeps {
  const { config, ledger } = session;
  const tokensBefore = ledger.newTokens();
  const todosBefore = config.appState.get().parts[TODOS_PART];
  const calls: CallDeps = {
    findTool: (name) => tools.get(name),
    decide: (call, signal) => decideCall(session, call, signal, report.denied),
    contextOf: (toolUseId, signal) => toolContext(session, toolUseId, signal),
    recordIntent: (call) => recordIntent(session, call),
    recordOutcome: (toolUseId, status) => record(session, { type: "outcome", toolUseId, status }),
    boundResult: (tool, toolUseId, result) =>
      boundResult(result, tool.maxResultChars, (text) => config.store.storeOutput(toolUseId, text)),
  };
  return {
    callModel: (request, signal) => ask(session, () => modelNamed(request.model, models).stream(request, signal)),
    runTool: (call, signal) => runTool(session, call, signal, calls),
    boundResults: (results) =>
      boundMessage(results, MAX_MESSAGE_CHARS, (toolUseId, text) => config.store.storeOutput(toolUseId, text)),
    stopHooks: config.stopHooks ?? (async () => ({ type: "pass" })),
    ...(config.failureHooks ? { failureHooks: config.failureHooks } : {}),
    async autocompact({ messages, why, model }, signal) {
      const compacted = await compact(session, modelNamed(model, models), messages, why, signal);
      if (compacted) report.compacted(compacted);
      return compacted;
    },
    refreshCredentials: config.refreshCredentials ?? (async () => false),
    takeQueued: () => session.queue.splice(0),
    spent: () => ({ costUsd: ledger.spentUsd(), tokens: ledger.newTokens() - tokensBefore }),
    hasOpenWork() {
      const todos = config.appState.get().parts[TODOS_PART];
      return todos !== todosBefore && storedTodos(todos).some((todo) => todo.status !== "completed");
    },
    record: (entry) => record(session, entry),
    ...config.clock,
  } satisfies QueryDeps;
}

/** One request to the model, from a directory that is there. */
async function* ask(session: Session, stream: () => AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const missing = await missingDirectory(session);
  if (missing !== undefined) throw new PawlError("cwd_missing", missing);
  let given: string | undefined;
  let id = "";
  for await (const event of stream()) {
    if (event.type !== "message_start") {
      yield event;
      continue;
    }
    if (event.id !== given) id = ownAnswerId(event.id, session);
    given = event.id;
    yield { ...event, id };
  }
}

/** Some servers give every answer the same id: on disk two answers would be taken for one, and be paid for once. */
function ownAnswerId(given: string, { answerIds, config }: Session): string {
  const id = answerIds.has(given) ? `${given}_${config.clock.uuid()}` : given;
  if (id !== "") answerIds.add(id);
  return id;
}

/** Without its directory a session can do nothing right, and a tool would make it anew with one file in it: the turn ends. */
async function missingDirectory({ config: { appState, files } }: Session): Promise<string | undefined> {
  const { cwd } = appState.get();
  if ((await files.stat(cwd))?.isDirectory) return undefined;
  return `The working directory ${cwd} is gone: put it back, or start in another one.`;
}

async function runTool(session: Session, call: ToolCall, signal: AbortSignal, calls: CallDeps): Promise<ToolOutcome> {
  const missing = await missingDirectory(session);
  return missing === undefined ? callTool(call, signal, calls) : { type: "session_broken", message: missing };
}

function modelNamed(id: ModelId | undefined, models: readonly Model[]): Model {
  const model = id === undefined ? models[0] : models.find((each) => each.id === id);
  if (model === undefined) throw new PawlError("internal", `The turn has no model ${id ?? ""}`);
  return model;
}

/** What one call of a tool may use of this session. */
export function toolContext(session: Session, toolUseId: ToolUseId, signal: AbortSignal): ToolContext {
  const { appState, files, shell, readState, store } = session.config;
  return {
    toolUseId,
    signal,
    cwd: appState.get().cwd,
    roots: appState.get().directories,
    setCwd: (cwd) => appState.set((before) => ({ ...before, cwd })),
    files,
    readState,
    shell,
    state: {
      get: (part) => appState.get().parts[part],
      async set(part, value) {
        appState.set((before) => ({ ...before, parts: { ...before.parts, [part]: value } }));
        await record(session, { type: "state", part, value });
      },
    },
    storeOutput: (name, text) => store.storeOutput(name, text),
    progress: () => {},
  };
}

async function recordIntent(session: Session, call: DecidedCall): Promise<void> {
  const { files, appState } = session.config;
  const writes = call.touches.filter((touch) => touch.type === "write");
  const before: Record<string, string | null> = {};
  for (const touch of writes) {
    const path = resolve(appState.get().cwd, touch.path);
    const hash = await files.hash(path, MAX_HASHED_BYTES);
    if (hash !== undefined) before[path] = hash;
  }
  await record(session, {
    type: "intent",
    toolUseId: call.toolUseId,
    tool: call.tool.name,
    inputHash: createHash("sha256").update(JSON.stringify(call.input)).digest("hex"),
    effect: writes.length > 0 ? "edit" : "other",
    ...(writes.length > 0 ? { before } : {}),
  });
}
