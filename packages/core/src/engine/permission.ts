import type { Decision } from "../permissions/decision.ts";
import { denialText, refusalText, rejectionText } from "../permissions/denial-text.ts";
import type { PermissionDenial } from "../permissions/denials.ts";
import type { DecidedCall, FinalDecision } from "../tools/call.ts";
import { classifyCall, resumeAuto } from "./auto-mode.ts";
import { putQuestion } from "./open-question.ts";
import { havePermissionsChanged } from "./permission-state.ts";
import { applyPermissionUpdates } from "./permission-updates.ts";
import { record, type Session } from "./session.ts";

type OpenDecision = Extract<Decision, { behavior: "ask" }>;

/**
 * The whole decision about one call: rules and mode, then classifier or host for what they leave open. Every final answer other
 * than `allow` is recorded, whoever gave it, and not changed by that.
 */
export async function decideCall(
  session: Session,
  call: DecidedCall,
  signal: AbortSignal,
  denied: (denial: PermissionDenial, decision: FinalDecision) => void,
): Promise<FinalDecision> {
  const final = await finalDecision(session, call, signal);
  const recorded = record(session, {
    type: "decision",
    toolUseId: call.toolUseId,
    behavior: final.behavior,
    mode: session.config.appState.get().mode,
    because: final.because,
  });
  // What is allowed need not wait: before an effect its intent is awaited, which comes after this, and a journal that cannot be
  // written says so at every later entry.
  if (final.behavior === "allow") recorded.catch(() => {});
  else await recorded;
  if (final.behavior === "deny" && !signal.aborted) {
    const { tool, toolUseId, input } = call;
    denied({ toolName: tool.name, toolUseId, input, reason: final.message, time: session.config.clock.now() }, final);
  }
  return final;
}

async function finalDecision(session: Session, call: DecidedCall, signal: AbortSignal): Promise<FinalDecision> {
  const { appState, decide } = session.config;
  const state = appState.get();
  const decision = await decide(call, state);
  if (decision.behavior !== "ask") return decision;
  if (!decision.isForClassifier) return ask(session, call, decision, signal);
  const verdict = await classifyCall(session, call, decision.because.reason, signal);
  // A verdict holds for the rules and the mode that it was asked under.
  if (havePermissionsChanged(state, appState.get()) && !signal.aborted) return finalDecision(session, call, signal);
  const { tool, input } = call;
  switch (verdict.type) {
    case "allow":
      return { behavior: "allow", because: { type: "classifier", reason: verdict.reason } };
    case "block": {
      const because = {
        type: "classifier",
        reason: `The classifier of mode "auto" blocked it: ${verdict.reason}`,
      } as const;
      return { behavior: "deny", message: refusalText(tool.name, input, because), because };
    }
    case "unavailable": {
      const reason = `${decision.because.reason} The classifier of mode "auto" did not decide: ${verdict.reason}.`;
      return ask(session, call, { ...decision, because: { ...decision.because, reason } }, signal);
    }
    default:
      return verdict.type satisfies never;
  }
}

/** An open question is stored before it is put, so that a crash while it is open can be told from a call that ran. */
async function ask(
  session: Session,
  call: DecidedCall,
  decision: OpenDecision,
  signal: AbortSignal,
): Promise<FinalDecision> {
  const { canUseTool } = session.config;
  const { tool, toolUseId, input } = call;
  if (canUseTool === undefined) {
    return { behavior: "deny", message: denialText(tool.name, input, decision.because), because: decision.because };
  }
  const { suggestions } = decision;
  await record(session, { type: "question", toolUseId, input, ...(suggestions.length === 0 ? {} : { suggestions }) });
  const outcome = await putQuestion(session, call, decision, signal);
  await record(session, { type: "answer", toolUseId, behavior: outcome.answer.behavior, by: outcome.by });
  if (outcome.by === "rules") return outcome.answer;

  const { answer, by } = outcome;
  if (answer.behavior === "deny") {
    const message = by === "user" ? rejectionText(answer.message) : answer.message;
    return { ...answer, message, because: { type: by, reason: answer.message || "The user said no." } };
  }
  const { updatedInput, updatedPermissions } = answer;
  if (updatedPermissions !== undefined) await applyPermissionUpdates(session, updatedPermissions);
  if (decision.isForClassifier) resumeAuto(session);
  const because = { type: by, reason: `allowed by the ${by}` } as const;
  if (updatedInput === undefined) return { behavior: "allow", because };
  return recheck(session, call, updatedInput, { behavior: "allow", updatedInput, because });
}

/** The host may change the input, but not to what a rule denies. Input that does not fit is refused where it is run. */
async function recheck(
  session: Session,
  call: DecidedCall,
  input: Record<string, unknown>,
  allowed: FinalDecision,
): Promise<FinalDecision> {
  const parsed = (call.tool.parseAnswered ?? call.tool.parse)(input);
  if (!parsed.ok) return allowed;
  const touches = call.tool.touches(parsed.input);
  const isReadOnly = call.tool.isReadOnly(parsed.input);
  const decision = await session.config.decide({ ...call, input, touches, isReadOnly }, session.config.appState.get());
  return decision.behavior === "deny" ? decision : allowed;
}
