import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { PermissionDenial } from "../permissions/denials.ts";
import type { QueryConfig } from "../query/config.ts";
import type { CallDeps, DecidedCall, FinalDecision } from "../tools/call.ts";
import { boundResult } from "../tools/result-budget.ts";
import { deferredTools, loadedTools } from "./deferral.ts";
import { decideCall } from "./permission.ts";
import { MAX_HASHED_BYTES } from "./restore.ts";
import { record, type Session } from "./session.ts";
import { toolContext } from "./tool-context.ts";

/** What surrounds each call of a turn: the decision, what the tool may use, and what the journal has of it. */
export function callDeps(
  session: Session,
  { tools, deferredTools: deferred }: Pick<QueryConfig, "tools" | "deferredTools">,
  denied: (denial: PermissionDenial, decision: FinalDecision) => void,
): CallDeps {
  const { files, store } = session.config;
  const openSchemas = deferred && [...deferred.values()].map(({ open }) => open);
  return {
    findTool: (name) => tools.get(name),
    isLoaded: ({ name }) => deferred?.has(name) !== true || loadedTools(session).includes(name),
    decide: (call, signal) => decideCall(session, call, signal, denied),
    pinnedFiles: () => files.pinned(),
    contextOf: (toolUseId, signal, pinned) => ({
      ...toolContext(session, toolUseId, signal, pinned),
      ...(openSchemas && { deferredTools: deferredTools(session, openSchemas) }),
    }),
    recordIntent: (call) => recordIntent(session, call),
    recordOutcome: (toolUseId, status) => record(session, { type: "outcome", toolUseId, status }),
    boundResult: (tool, toolUseId, result) =>
      boundResult(result, tool.maxResultChars, (text) => store.storeOutput(toolUseId, text)),
  };
}

async function recordIntent(session: Session, call: DecidedCall): Promise<void> {
  const { appState } = session.config;
  const writes = call.touches.filter((touch) => touch.type === "write");
  const before: Record<string, string | null> = {};
  for (const touch of writes) {
    const path = resolve(appState.get().cwd, touch.path);
    const hash = await call.files.hash(path, MAX_HASHED_BYTES);
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
