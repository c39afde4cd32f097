import { leafAfter } from "../../history/leaf.ts";
import type { Message, ModelId } from "../../messages/message.ts";
import { repairHistory } from "../../messages/repair.ts";
import type { ModelFailure } from "../../models/failure.ts";
import { DEFAULT_STREAM_CUT_RECOVERY, type QueryConfig } from "../config.ts";
import type { QueryDeps } from "../deps.ts";
import { modelOf } from "../prepare.ts";
import { requestTools } from "../request-tools.ts";
import type { QueryState } from "../state.ts";
import { MAX_REQUESTS_PER_ROUND, MAX_TRIES_PER_REQUEST, RETRY_BASE_MS } from "./bounds.ts";
import { withoutMedia, withoutPart } from "./offending-part.ts";
import type { RecoveryFacts, RecoveryPlan } from "./recovery-step.ts";
import { isRiddenOut } from "./retry-request.ts";
import { recoverySteps } from "./steps.ts";

/** What recovery looks at of the answer that failed. */
type AnswerCame = Pick<RecoveryFacts, "inputTokens" | "outputTokens" | "hasProgress">;

/**
 * The first plan that has an effect, carried out; undefined when the failure is to be shown.
 *
 * It ends: each step that applies marks itself as tried in the state before it acts, every mark is bounded, and whatever the
 * mix no more than `MAX_REQUESTS_PER_ROUND` requests are made for one answer. Only what an unattended run rides out does not
 * count, and its wall clock ends that.
 */
export async function recover(
  failure: ModelFailure,
  state: QueryState,
  came: AnswerCame,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): Promise<RecoveryPlan | undefined> {
  const waits = () => isRiddenOut(failure, { now: deps.now(), ...unattended(config) });
  let requests = state.recovery.requests + (waits() ? 0 : 1);
  const mayAsk = () => {
    if (requests >= MAX_REQUESTS_PER_ROUND) return false;
    requests += 1;
    return true;
  };
  const counted = (of: QueryState): QueryState => ({ ...of, recovery: { ...of.recovery, requests } });
  let current = counted(state);
  for (let plans = 0; plans < recoverySteps.length && (requests < MAX_REQUESTS_PER_ROUND || waits()); plans++) {
    const facts = factsOf(current, came, deps, config);
    const plan = firstPlan(failure, current, facts);
    if (plan === undefined) return undefined;
    const done = await act(plan, failure, { model: facts.model.id, mayAsk }, deps, signal);
    if (done !== undefined) return { ...plan, ...done, state: counted(done.state ?? plan.state) };
    current = counted(plan.state);
  }
  return undefined;
}

function firstPlan(failure: ModelFailure, state: QueryState, facts: RecoveryFacts): RecoveryPlan | undefined {
  for (const step of recoverySteps) {
    const plan = step(failure, state, facts);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

function factsOf(state: QueryState, came: AnswerCame, deps: QueryDeps, config: QueryConfig): RecoveryFacts {
  const model = modelOf(state, config);
  const nextModel = config.models[state.modelIndex + 1];
  return {
    model,
    ...(nextModel === undefined ? {} : { nextModel }),
    ...came,
    tools: requestTools(state, config, model, deps.loadedTools?.() ?? []).map(({ name }) => name),
    streamCutRecovery: config.streamCutRecovery ?? DEFAULT_STREAM_CUT_RECOVERY,
    now: deps.now(),
    maxRetries: config.maxRetries ?? MAX_TRIES_PER_REQUEST - 1,
    retryBaseMs: config.retryBaseMs ?? RETRY_BASE_MS,
    random: deps.random(),
    ...unattended(config),
  };
}

const unattended = ({ unattendedUntil }: QueryConfig) => (unattendedUntil === undefined ? {} : { unattendedUntil });

/** What making room asks with: each of its requests is one of the round's. */
type Asking = { model: ModelId; mayAsk: () => boolean };

/** What carrying a plan out has changed of it. */
type Done = Partial<Pick<RecoveryPlan, "transition" | "state">>;

/** Carries a plan out. Undefined when it had no effect. A wait is the loop's to make. */
async function act(
  plan: RecoveryPlan,
  failure: ModelFailure,
  asking: Asking,
  deps: QueryDeps,
  signal: AbortSignal,
): Promise<Done | undefined> {
  const { action, state } = plan;
  switch (action.type) {
    case "none":
    case "wait":
      return {};
    case "refresh_credentials":
      return (await deps.refreshCredentials()) ? {} : undefined;
    case "drain":
    case "compact":
      return compactFor(action.type, plan, asking, deps, signal);
    case "repair_history":
      return (await replace("repair", repaired(failure, state.messages), state.messages, deps)) ? {} : undefined;
    case "strip_media":
      return (await replace("strip_media", withoutMedia(failure, state.messages), state.messages, deps))
        ? {}
        : undefined;
    default:
      return action satisfies never;
  }
}

async function compactFor(
  kind: "drain" | "compact",
  { state }: RecoveryPlan,
  asking: Asking,
  deps: QueryDeps,
  signal: AbortSignal,
): Promise<Done | undefined> {
  const why = kind === "drain" ? "drain" : "reactive";
  const compacted = await deps.autocompact({ messages: state.messages, why, ...asking }, signal);
  if (compacted === undefined || signal.aborted) return undefined;
  for (const entry of compacted.entries) await deps.record(entry);
  state.messages.splice(0, state.messages.length, ...compacted.messages);
  const moved = { ...state, leaf: compacted.entries.reduce(leafAfter, state.leaf) };
  const { committed } = compacted;
  return kind === "drain"
    ? { state: moved, transition: { type: "collapse_drain_retry", committed } }
    : { state: moved };
}

/** What the rules say is broken; where they find nothing, the part that the provider names. */
function repaired(failure: ModelFailure, messages: readonly Message[]): readonly Message[] | undefined {
  const { messages: whole, repairs } = repairHistory(messages, { as: "request" });
  return repairs.length > 0 ? whole : withoutPart(failure, messages);
}

/** Puts changed messages in the place of the old ones, and records which. False when nothing is changed. */
async function replace(
  op: "repair" | "strip_media",
  changed: readonly Message[] | undefined,
  messages: Message[],
  deps: QueryDeps,
): Promise<boolean> {
  if (changed === undefined) return false;
  const kept = new Set(changed);
  const before = new Set(messages);
  const refs = messages.filter((message) => !kept.has(message)).map((message) => message.uuid);
  const replacement = changed.filter((message) => !before.has(message));
  await deps.record({ type: "projection", op, refs, replacement, reason: "the provider refused the request" });
  messages.splice(0, messages.length, ...changed);
  return true;
}
