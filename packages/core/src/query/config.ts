import type { QuerySource } from "../history/journal.ts";
import type { ModelId } from "../messages/message.ts";
import type { ModelLimits, ThinkingConfig, ToolSchema } from "../models/model.ts";
import type { Tool } from "../tools/tool.ts";

/** One turn's snapshot: frozen when the turn starts; what changes meanwhile holds from the next turn on. */
export type QueryConfig = {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Of the tools that the model always knows. */
  readonly toolSchemas: readonly ToolSchema[];
  /** The others, by name: those that the model searches for. Left out when it knows them all. */
  readonly deferredTools?: ReadonlyMap<string, DeferredSchema>;
  readonly system: readonly string[];
  /** The turn's model, then those it may fall back to. */
  readonly models: readonly TurnModel[];
  readonly thinking?: ThinkingConfig;
  /** Rounds this turn may take. */
  readonly maxTurns?: number;
  /** Dollars that may be spent, as `deps.spent` counts them. */
  readonly maxBudgetUsd?: number;
  /** Tokens that this turn may use, as `deps.spent` counts them. */
  readonly taskBudget?: number;
  /** Calls that this turn may make. */
  readonly maxToolCalls?: number;
  /** The turn ends only when the model has given its output by calling this tool. */
  readonly structuredOutput?: WantedOutput;
  readonly includeRaw: boolean;
  /** Tools start only after the whole answer is recorded, in a fixed order. */
  readonly durable: boolean;
  readonly source: QuerySource;
  /** Times that a request which fails is made again; default 9. */
  readonly maxRetries?: number;
  /** The back-off's unit. Milliseconds. */
  readonly retryBaseMs?: number;
  /** Nobody waits: overloads and limits are ridden out up to this time. Milliseconds since the epoch. */
  readonly unattendedUntil?: number;
  readonly streamCutRecovery?: StreamCutRecovery;
  /** Slash commands whose effect this turn consumes. */
  readonly consumedCommands: readonly string[];
};

/** `maxRetries`: times in one turn that a miss is fed back. */
export type WantedOutput = { toolName: string; maxRetries: number };

/**
 * What is done about answers that break off again and again: asked for anew each time, gone on from, or asked for in one piece
 * instead of a stream.
 */
export type StreamCutRecovery = (typeof streamCutRecoveries)[number];
export const streamCutRecoveries = ["retry", "continue", "non_stream"] as const;
/** Asking anew loses what came, again and again, where each answer takes longer than its connection lasts. */
export const DEFAULT_STREAM_CUT_RECOVERY: StreamCutRecovery = "continue";

/** A tool's schema as it is once the model knows the tool, and as it goes along before that. */
export type DeferredSchema = { open: ToolSchema; deferred: ToolSchema };

/** `takesToolReferences`: deferred tools go along with its requests. */
export type TurnModel = { id: ModelId; limits: ModelLimits; takesToolReferences?: boolean };

/** Asked for by default; an answer cut there is asked for again with more. Tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 8_000;
/** Answers running that may hold tool input that is not whole JSON. */
export const MAX_MALFORMED_ANSWERS = 3;
/** Times that an answer the provider paused is sent back in one turn. */
export const MAX_PAUSES = 20;
/** Times that stop hooks may send the model back to work in one turn. */
export const MAX_STOP_HOOK_BLOCKS = 8;
/** The same call with the same input and result this often running is pointed out to the model … */
export const REPEATS_POINTED_OUT = 3;
/** … and this often ends the turn. */
export const REPEATS_STUCK = 6;
