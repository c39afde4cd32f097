import { type ModelFailure, mayPass } from "../../models/failure.ts";
import type { QueryState } from "../state.ts";
import { backoffMs, MAX_TOLD_WAIT_MS } from "./bounds.ts";
import { isCut } from "./cut.ts";
import { type RecoveryFacts, type RecoveryStep, tried } from "./recovery-step.ts";

/** What may pass by itself is tried again after a while: as told by the provider, else longer each time. */
export const retryRequest: RecoveryStep = (failure, state, facts) => {
  if (!mayPass(failure)) return undefined;
  const { tries, riddenOut } = state.recovery;
  const ridesOut = isRiddenOut(failure, facts);
  // What has waited for its wall clock is not to be tried ten times more.
  const isPatient = ridesOut || (tries < facts.maxRetries && (riddenOut === 0 || !isWaitedFor(failure)));
  const delayMs = isPatient ? waitMs(failure, tries + riddenOut, facts, ridesOut) : undefined;
  if (delayMs === undefined) return undefined;
  return {
    transition: { type: "request_retry", attempt: tries + riddenOut + 1, delayMs, failure: failure.type },
    action: { type: "wait", ms: delayMs },
    state: tried(state, {
      ...counted(failure, state),
      ...(ridesOut ? { riddenOut: riddenOut + 1 } : { tries: tries + 1 }),
    }),
  };
};

const counted = (failure: ModelFailure, { recovery: { cuts, overloads } }: QueryState) => ({
  cuts: isCut(failure) ? cuts + 1 : cuts,
  overloads: failure.type === "overloaded" ? overloads + 1 : 0,
});

/** Unattended runs ride out overloads and limits, however many, up to their wall clock. */
export const isRiddenOut = (
  failure: ModelFailure,
  { unattendedUntil, now }: Pick<RecoveryFacts, "unattendedUntil" | "now">,
): boolean => isWaitedFor(failure) && unattendedUntil !== undefined && now < unattendedUntil;

const isWaitedFor = ({ type }: ModelFailure) => type === "overloaded" || type === "rate_limited";

/** Milliseconds before the next try; undefined when the provider asks for more patience than there is. */
export function waitMs(
  failure: ModelFailure,
  tries: number,
  facts: RecoveryFacts,
  ridesOut = false,
): number | undefined {
  const told = toldWaitMs(failure, facts.now);
  // "At once" from a server that fails would use the tries up in no time.
  if (told === undefined || told === 0) return backoffMs(tries, facts.retryBaseMs, facts.random);
  if (ridesOut) return riddenOutMs(told, tries, facts);
  if (told <= MAX_TOLD_WAIT_MS) return told;
  // Only a limit is sure to last so long.
  return failure.type === "rate_limited" ? undefined : MAX_TOLD_WAIT_MS;
}

/** As told, but no number of tries ends it: it does not go faster than without being told, and no longer than its wall clock. */
function riddenOutMs(
  told: number,
  tries: number,
  { unattendedUntil, now, retryBaseMs, random }: RecoveryFacts,
): number {
  const left = Math.max(0, (unattendedUntil ?? now) - now);
  return Math.min(Math.max(told, backoffMs(tries, retryBaseMs, random)), left);
}

function toldWaitMs(failure: ModelFailure, now: number): number | undefined {
  if ("retryAfterMs" in failure) return failure.retryAfterMs;
  return "resetsAt" in failure && failure.resetsAt !== undefined ? Math.max(0, failure.resetsAt - now) : undefined;
}
