import { messageOf } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import type { Decision, HostAnswer } from "../permissions/decision.ts";
import { denialText } from "../permissions/denial-text.ts";
import type { PermissionDenial } from "../permissions/denials.ts";
import type { DecidedCall, FinalDecision } from "../tools/call.ts";
import { record, type Session } from "./session.ts";

/**
 * The whole decision about one call: rules and mode, then the host for what they leave open. Every final answer other than
 * `allow` is recorded, whoever gave it, and not changed by that.
 */
export async function decideCall(
  session: Session,
  call: DecidedCall,
  signal: AbortSignal,
  denied: (denial: PermissionDenial, decision: FinalDecision) => void,
): Promise<FinalDecision> {
  const decision = await session.config.decide(call, session.config.appState.get());
  const final = decision.behavior === "ask" ? await ask(session, call, decision, signal) : decision;
  await record(session, {
    type: "decision",
    toolUseId: call.toolUseId,
    behavior: final.behavior,
    because: final.because,
  });
  if (final.behavior === "deny") {
    const { tool, toolUseId, input } = call;
    denied({ toolName: tool.name, toolUseId, input, reason: final.message, time: session.config.clock.now() }, final);
  }
  return final;
}

/** An open question is stored before it is put, so that a crash while it is open can be told from a call that ran. */
async function ask(
  session: Session,
  call: DecidedCall,
  decision: Extract<Decision, { behavior: "ask" }>,
  signal: AbortSignal,
): Promise<FinalDecision> {
  const { canUseTool } = session.config;
  if (canUseTool === undefined) {
    const message = denialText(call.tool.name, call.input, decision.because);
    return { behavior: "deny", message, because: decision.because };
  }
  const { tool, toolUseId, input } = call;
  await record(session, { type: "question", toolUseId, input });
  const answer = await hostAnswer(() => canUseTool(tool.name, input, { toolUseId, signal, because: decision.because }));
  await record(session, { type: "answer", toolUseId, behavior: answer.behavior, by: "host" });
  const because = {
    type: "host",
    reason: answer.behavior === "allow" ? "allowed by the host" : answer.message,
  } as const;
  const final: FinalDecision = { ...answer, because };
  return final.behavior === "allow" && final.updatedInput ? recheck(session, call, final.updatedInput, final) : final;
}

/** The host may change the input, but not to what a rule denies. Input that does not fit is refused where it is run. */
async function recheck(
  session: Session,
  call: DecidedCall,
  input: Record<string, unknown>,
  allowed: FinalDecision,
): Promise<FinalDecision> {
  const parsed = call.tool.parse(input);
  if (!parsed.ok) return allowed;
  const touches = call.tool.touches(parsed.input);
  const isReadOnly = call.tool.isReadOnly(parsed.input);
  const decision = await session.config.decide({ ...call, input, touches, isReadOnly }, session.config.appState.get());
  return decision.behavior === "deny" ? decision : allowed;
}

/** Only a plain `allow` allows: a host that fails, or answers in another shape, has not allowed anything. */
async function hostAnswer(asked: () => Promise<HostAnswer>): Promise<HostAnswer> {
  try {
    return readAnswer(await asked());
  } catch (error) {
    return { behavior: "deny", message: `The permission callback failed: ${messageOf(error)}` };
  }
}

/** The callback is the embedder's code: what it gives is looked at, whatever its type says. */
function readAnswer(answer: unknown): HostAnswer {
  const fields: Record<string, unknown> = isRecord(answer) ? answer : {};
  const { behavior, updatedInput, message, interrupt } = fields;
  if (behavior === "allow" && (updatedInput === undefined || isRecord(updatedInput))) {
    return updatedInput === undefined ? { behavior } : { behavior, updatedInput };
  }
  if (behavior === "deny") {
    const words = typeof message === "string" && message.trim() !== "" ? message : "The host denied the call.";
    return { behavior, message: words, interrupt: interrupt === true };
  }
  const shapes = '{ behavior: "allow", updatedInput?: {…} } or { behavior: "deny", message: "…" }';
  return {
    behavior: "deny",
    message: `The permission callback gave no usable answer, so the call was denied. It must give ${shapes}.`,
  };
}
