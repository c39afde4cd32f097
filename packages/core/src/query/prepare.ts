import { PawlError } from "../lib/error.ts";
import type { ModelRequest } from "../models/model.ts";
import { budgetTerminal } from "./budgets.ts";
import { DEFAULT_MAX_OUTPUT_TOKENS, type QueryConfig, type TurnModel } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import { requestTools } from "./request-tools.ts";
import type { QueryState } from "./state.ts";
import type { Terminal } from "./transition.ts";

type Prepared = { type: "request"; request: ModelRequest } | { type: "stop"; terminal: Terminal };

/** The next request, or why there is none. The messages are sent as they stand: each is looked into for tools at most once. */
export function prepare(
  state: QueryState,
  config: QueryConfig,
  deps: Pick<QueryDeps, "spent" | "loadedTools">,
  signal: AbortSignal,
): Prepared {
  if (signal.aborted) return { type: "stop", terminal: aborted("stream", signal) };
  if (config.maxTurns !== undefined && state.roundCount >= config.maxTurns) {
    return { type: "stop", terminal: { reason: "max_turns", limit: config.maxTurns } };
  }
  const spentUp = budgetTerminal(config, deps.spent());
  if (spentUp) return { type: "stop", terminal: spentUp };
  const model = modelOf(state, config);
  const request: ModelRequest = {
    tools: requestTools(state, config, model, deps.loadedTools?.() ?? []),
    system: config.system,
    messages: state.messages,
    maxTokens: outputCap(state, model),
    model: model.id,
    includeRaw: config.includeRaw,
    ...(state.recovery.asksInOnePiece ? { inOnePiece: true } : {}),
    ...(config.thinking ? { thinking: config.thinking } : {}),
  };
  return { type: "request", request };
}

/** What an answer may be long. Tokens. */
export function outputCap(
  { maxOutputTokensOverride = DEFAULT_MAX_OUTPUT_TOKENS, outputLimit }: QueryState,
  { limits }: TurnModel,
): number {
  return Math.min(maxOutputTokensOverride, limits.maxOutputTokens, outputLimit ?? maxOutputTokensOverride);
}

export function modelOf(state: QueryState, config: QueryConfig): TurnModel {
  const model = config.models[state.modelIndex];
  if (model === undefined) throw new PawlError("internal", `The turn has no model number ${state.modelIndex}`);
  return model;
}

/**
 * Whoever aborts may say why: `{ signal: "SIGINT" }` ended the process, `{ limitMs: 60_000 }` was the time that the turn may
 * take.
 */
export function aborted(where: "stream" | "tools", signal: AbortSignal): Terminal {
  const limitMs = timeLimitOf(signal);
  if (limitMs !== undefined) return { reason: "budget_exceeded", limitMs };
  const reason: unknown = signal.reason;
  const name = typeof reason === "object" && reason !== null && "signal" in reason ? reason.signal : undefined;
  return name === "SIGINT" || name === "SIGTERM" || name === "SIGHUP"
    ? { reason: "aborted", in: where, signal: name }
    : { reason: "aborted", in: where };
}

/** The time limit that aborted the turn, if one did. Milliseconds. */
export function timeLimitOf({ reason }: AbortSignal): number | undefined {
  const given: unknown = reason;
  if (typeof given !== "object" || given === null || !("limitMs" in given)) return undefined;
  return typeof given.limitMs === "number" ? given.limitMs : undefined;
}
