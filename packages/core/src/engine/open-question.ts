import { childController, onAbort } from "../lib/abort.ts";
import { deferred } from "../lib/deferred.ts";
import { messageOf } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import type { Decision, HostAnswer } from "../permissions/decision.ts";
import type { DecidedCall, FinalDecision } from "../tools/call.ts";
import { havePermissionsChanged } from "./permission-state.ts";
import type { Session } from "./session.ts";

/** Who answered: a person, the host for them, or rules and mode, which were changed while the question was open. */
type Answered = { by: "user" | "host"; answer: ReadAnswer } | { by: "rules"; answer: FinalDecision };

/** `updatedPermissions` is read where it is applied. */
type ReadAnswer =
  | { behavior: "allow"; updatedInput?: Record<string, unknown>; updatedPermissions?: unknown }
  | { behavior: "deny"; message: string; interrupt: boolean };

/** Puts the question to the host, and takes it back as soon as it needs no answer any more. */
export async function putQuestion(
  session: Session,
  call: DecidedCall,
  { because, suggestions, parts }: Extract<Decision, { behavior: "ask" }>,
  signal: AbortSignal,
): Promise<Answered> {
  const asking = childController(signal);
  const { promise: settled, resolve: settle } = deferred<Answered>();
  const unwatch = watchRules(session, call, (answer) => settle({ by: "rules", answer }));
  const stopListening = onAbort(signal, () => settle({ by: "host", answer: interrupted }));
  const { tool, toolUseId, input } = call;
  const about = { toolUseId, signal: asking.signal, because, suggestions, ...(parts && { parts }) };
  try {
    return await Promise.race([settled, hostAnswer(async () => session.config.canUseTool?.(tool.name, input, about))]);
  } finally {
    unwatch();
    stopListening();
    asking.abort();
    asking.release();
  }
}

const interrupted: ReadAnswer = { behavior: "deny", message: "The turn was interrupted.", interrupt: true };

/** Each change of rules, mode or directories may have answered: a call that is not asked about any more has its decision. */
function watchRules(session: Session, call: DecidedCall, settle: (decision: FinalDecision) => void): () => void {
  const { appState, decide } = session.config;
  return appState.onChange((before, after) => {
    if (!havePermissionsChanged(before, after)) return;
    const decided = decide(call, after).then((decision) => decision.behavior !== "ask" && settle(decision));
    decided.catch(() => {}); // the question stays open, and its answer counts
  });
}

/** Only a plain `allow` allows: a host that fails, or answers in another shape, has not allowed anything. */
async function hostAnswer(asked: () => Promise<HostAnswer | undefined>): Promise<Answered> {
  try {
    return readAnswer(await asked());
  } catch (error) {
    return denied(`The permission callback failed: ${messageOf(error)}`);
  }
}

const denied = (message: string): Answered => ({ by: "host", answer: { behavior: "deny", message, interrupt: false } });

/** The callback is the embedder's code: what it gives is looked at, whatever its type says. */
function readAnswer(answer: unknown): Answered {
  const fields: Record<string, unknown> = isRecord(answer) ? answer : {};
  const { behavior, updatedInput, updatedPermissions, message, interrupt, decisionClassification } = fields;
  const isUser = typeof decisionClassification === "string" && decisionClassification.startsWith("user_");
  const by = isUser ? "user" : "host";
  if (behavior === "allow" && (updatedInput === undefined || isRecord(updatedInput))) {
    const input = updatedInput === undefined ? {} : { updatedInput: { ...updatedInput } };
    return { by, answer: { behavior, ...input, ...(updatedPermissions === undefined ? {} : { updatedPermissions }) } };
  }
  if (behavior === "deny") {
    const words = typeof message === "string" ? message.trim() : "";
    const text = words === "" && !isUser ? "The host denied the call." : words;
    return { by, answer: { behavior, message: text, interrupt: interrupt === true } };
  }
  const shapes = '{ behavior: "allow", updatedInput?: {…} } or { behavior: "deny", message: "…" }';
  return denied(`The permission callback gave no usable answer, so the call was denied. It must give ${shapes}.`);
}
