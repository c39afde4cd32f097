import type { ModelFailure } from "../../models/failure.ts";
import type { StreamCutRecovery, TurnModel } from "../config.ts";
import type { QueryState, RecoveryState } from "../state.ts";
import type { Transition } from "../transition.ts";

/** What a step looks at beside failure and state. */
export type RecoveryFacts = {
  model: TurnModel;
  /** The one after it, if there is one. */
  nextModel?: TurnModel;
  /** Of the request that was answered, as reported; 0 when it was not. */
  inputTokens: number;
  /** Of the answer, as reported so far. */
  outputTokens: number;
  /** Whether something of the answer can be kept: text, or a whole call. */
  hasProgress: boolean;
  streamCutRecovery: StreamCutRecovery;
  /** Milliseconds since the epoch. */
  now: number;
  /** Names of the request's tools, in its order. */
  tools: readonly string[];
  maxRetries: number;
  retryBaseMs: number;
  /** 0 to 1. */
  random: number;
  unattendedUntil?: number;
};

/** What is to be done before the next request. Each may turn out to have no effect; then the next step is asked. */
export type RecoveryAction =
  | { type: "none" }
  | { type: "wait"; ms: number }
  | { type: "drain" | "compact" | "repair_history" | "strip_media" | "refresh_credentials" };

export type RecoveryPlan = {
  transition: Transition;
  action: RecoveryAction;
  /** The state with the step marked as tried, whether it has an effect or not. */
  state: QueryState;
  /** What came of the answer stays, and `note` asks the model to go on from it. */
  keepsAnswer?: boolean;
  note?: string;
};

/** Says what to do about a failure, or undefined for "not mine". Pure; bounded by what the state says was tried. */
export type RecoveryStep = (failure: ModelFailure, state: QueryState, facts: RecoveryFacts) => RecoveryPlan | undefined;

/** The state with something marked as tried. */
export const tried = (state: QueryState, what: Partial<RecoveryState>): QueryState => ({
  ...state,
  recovery: { ...state.recovery, ...what },
});
