import type { JournalEntry } from "../history/journal.ts";
import type { Message, ModelId, ToolUseBlock, UserMessage, Uuid } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { ModelEvent, ModelRequest } from "../models/model.ts";
import type { ToolCall, ToolOutcome } from "../tools/tool.ts";
import type { WrittenResult } from "../tools/tool-result.ts";

/** All that the loop may touch of the outside. The assembly's set is checked with `satisfies`; tests pass their own. */
export interface QueryDeps {
  callModel(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  runTool(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
  /** Brings all results of one answer under the limit of one message, largest first. */
  boundResults(results: readonly WrittenResult[]): Promise<readonly WrittenResult[]>;
  /** Asked when the model has ended its work; never after an error of the model. */
  stopHooks(messages: readonly Message[]): Promise<StopVerdict>;
  /** Told of the error of the model that a turn ends with. */
  failureHooks?(failure: ModelFailure): void;
  /**
   * Makes room: commits staged collapses (`drain`), or compacts (`reactive`). Gives the entries to record and the messages
   * that are left; undefined when there was nothing to gain. `mayAsk` is called before each request to the model: false when
   * the round has no more.
   */
  autocompact(
    request: { messages: readonly Message[]; why: "drain" | "reactive"; model: ModelId; mayAsk(): boolean },
    signal: AbortSignal,
  ): Promise<Compacted | undefined>;
  /** What the calls of one answer did, in one line for eyes; null when there is nothing to say. Left out: nobody wants it. */
  summarizeToolUse?(
    calls: readonly ToolUseBlock[],
    results: readonly WrittenResult[],
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Whether there are new credentials to try. */
  refreshCredentials(): Promise<boolean>;
  /** Names of deferred tools that the model has found, in that order. Default: none. */
  loadedTools?(): readonly string[];
  /** What the user has typed meanwhile: joins the next user message, after the results. */
  takeQueued(): readonly UserMessage[] | Promise<readonly UserMessage[]>;
  /** What the responses so far have cost, those that failed and those of compaction included. */
  spent(): Spent;
  /** Whether this turn's to-do list has items that are not done. */
  hasOpenWork(): boolean;
  /** Awaited where what follows must not come before it; resolves when the entry is durable. */
  record(entry: JournalEntry): Promise<void>;
  uuid(): Uuid;
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** At least 0 and under 1: spreads retries. */
  random(): number;
}

export type Spent = {
  /** Dollars since the engine was made; null as soon as the price of one response is not known. */
  costUsd: number | null;
  /** Of this turn: output, and input that did not come from the cache. */
  tokens: number;
};

export type Compacted = {
  entries: readonly JournalEntry[];
  messages: readonly Message[];
  /** Collapses that took effect. */
  committed: number;
};

export type StopVerdict =
  | { type: "pass" }
  | { type: "block"; reasons: readonly string[] }
  | { type: "prevent"; reason: string };
