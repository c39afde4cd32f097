import { type ModelFailure, mayPass } from "../../models/failure.ts";
import { backoffMs, MAX_TOLD_WAIT_MS, MAX_TRIES_PER_REQUEST } from "./bounds.ts";
import { type RecoveryFacts, type RecoveryStep, tried } from "./recovery-step.ts";

/** What may pass by itself is tried again after a while: as told by the provider, else longer each time. */
export const retryRequest: RecoveryStep = (failure, state, facts) => {
  if (!mayPass(failure)) return undefined;
  const { tries, overloads } = state.recovery;
  const isUnattended = facts.unattendedUntil !== undefined && facts.now < facts.unattendedUntil;
  const ridesOut = isUnattended && (failure.type === "overloaded" || failure.type === "rate_limited");
  if (tries + 1 >= MAX_TRIES_PER_REQUEST && !ridesOut) return undefined;
  const delayMs = waitMs(failure, tries, facts, ridesOut);
  if (delayMs === undefined) return undefined;
  return {
    transition: { type: "request_retry", attempt: tries + 1, delayMs, failure: failure.type },
    action: { type: "wait", ms: delayMs },
    state: tried(state, { tries: tries + 1, overloads: failure.type === "overloaded" ? overloads + 1 : 0 }),
  };
};

function waitMs(failure: ModelFailure, tries: number, facts: RecoveryFacts, ridesOut: boolean): number | undefined {
  const told = toldWaitMs(failure, facts.now);
  // "At once" from a server that fails would use the tries up in no time.
  if (told === undefined || told === 0) return backoffMs(tries, facts.retryBaseMs, facts.random);
  if (ridesOut) return Math.min(told, Math.max(0, (facts.unattendedUntil ?? facts.now) - facts.now));
  if (told <= MAX_TOLD_WAIT_MS) return told;
  // Only a limit is sure to last so long.
  return failure.type === "rate_limited" ? undefined : MAX_TOLD_WAIT_MS;
}

function toldWaitMs(failure: ModelFailure, now: number): number | undefined {
  if ("retryAfterMs" in failure) return failure.retryAfterMs;
  return "resetsAt" in failure && failure.resetsAt !== undefined ? Math.max(0, failure.resetsAt - now) : undefined;
}
