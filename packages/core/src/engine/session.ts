import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { JournalEntry, QuerySource } from "../history/journal.ts";
import type { Message, UserMessage, Uuid } from "../messages/message.ts";
import { repairHistory } from "../messages/repair.ts";
import type { Model, ThinkingConfig } from "../models/model.ts";
import type { CanUseTool, Decision } from "../permissions/decision.ts";
import type { WantedOutput } from "../query/config.ts";
import type { QueryDeps } from "../query/deps.ts";
import type { Shell } from "../shell/shell.ts";
import type { DecidedCall } from "../tools/call.ts";
import type { Tool } from "../tools/tool.ts";
import type { TranscriptStore } from "../transcript/store.ts";
import type { AppState, AppStateStore } from "./app-state.ts";
import type { Command } from "./command.ts";
import { createLedger, type Ledger } from "./ledger.ts";

/** Everything that a conversation needs, given once: the engine fetches none of it itself. */
export type EngineConfig = {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly version: string;
  readonly source: QuerySource;
  /** Where the key comes from, as shown in `init`. */
  readonly apiKeySource: string;
  readonly model: Model;
  /** Throws PawlError `unknown_model` or `missing_key`. */
  resolveModel(name: string): Promise<Model>;
  /** Ends what the models keep open, such as idle connections. */
  closeModels?(): Promise<void>;
  /** Asked in order when the model is overloaded or refuses. */
  readonly fallbackModels?: readonly Model[];
  /** Whether there are new credentials to try after a refusal. */
  refreshCredentials?(): Promise<boolean>;
  /** The unit of waits between tries. Milliseconds. */
  readonly retryBaseMs?: number;
  /** Overloads and limits are ridden out up to this time. Milliseconds since the epoch. */
  readonly unattendedUntil?: number;
  readonly thinking?: ThinkingConfig;
  readonly tools: readonly Tool[];
  readonly commands: readonly Command[];
  /** The system prompt's sections in order, for the tools offered. */
  systemPrompt(tools: readonly Tool[]): readonly string[];
  /** What stands in front of the first user message; taken once, and again when the conversation starts anew. */
  userContext(): Promise<string | undefined>;
  /** Rules and mode; what it leaves open the host answers. */
  decide(call: DecidedCall, state: AppState): Promise<Decision>;
  readonly canUseTool?: CanUseTool;
  readonly appState: AppStateStore;
  readonly store: TranscriptStore;
  readonly files: WorkspaceFiles;
  readonly shell: Shell & { close(): Promise<void> };
  readonly readState: FileStateCache;
  /** A stored conversation to go on with. */
  readonly initial?: { messages: readonly Message[]; leaf: Uuid | null; entries: readonly JournalEntry[] };
  /** What the person should know, such as settings that could not be used: shown by the next turn, and taken out. */
  readonly notices?: string[];
  readonly stopHooks?: QueryDeps["stopHooks"];
  readonly failureHooks?: QueryDeps["failureHooks"];
  readonly maxTurns?: number;
  /** Dollars that all turns of this engine may cost. */
  readonly maxBudgetUsd?: number;
  /** Tokens that one turn may use. */
  readonly taskBudget?: number;
  /** What one turn may take. Milliseconds. */
  readonly maxDurationMs?: number;
  readonly maxToolCalls?: number;
  /** One of `tools`, by which the model gives the turn's output. */
  readonly structuredOutput?: WantedOutput;
  readonly includePartialMessages?: boolean;
  readonly replayUserMessages?: boolean;
  readonly durable?: boolean;
  /** Aborts the whole session. */
  readonly signal?: AbortSignal;
  readonly clock: Pick<QueryDeps, "now" | "uuid" | "sleep" | "random">;
};

/** What lives as long as the conversation. */
export type Session = {
  readonly config: EngineConfig;
  readonly controller: AbortController;
  messages: Message[];
  leaf: Uuid | null;
  model: Model;
  thinking: ThinkingConfig | undefined;
  readonly ledger: Ledger;
  readonly usedUuids: Set<string>;
  /** The model's answers so far. */
  readonly answerIds: Set<string>;
  readonly queue: UserMessage[];
  /** The user context has been given since the conversation began or was cleared. */
  hasUserContext: boolean;
  /** The current directory as the journal has it. */
  recordedCwd: string;
  turn: { controller: AbortController; ended: Promise<void> } | undefined;
  isClosed: boolean;
};

export function createSession(config: EngineConfig): Session {
  const entries = config.initial?.entries ?? [];
  const ledgerEntries = entries.filter((entry) => entry.type === "ledger");
  return {
    config,
    controller: new AbortController(),
    messages: repairHistory(config.initial?.messages ?? []).messages,
    leaf: config.initial?.leaf ?? null,
    model: config.model,
    thinking: config.thinking,
    ledger: createLedger(ledgerEntries),
    usedUuids: new Set(entries.flatMap((entry) => (entry.type === "message" ? [entry.message.uuid] : []))),
    answerIds: new Set(ledgerEntries.map((entry) => entry.responseId)),
    queue: [],
    hasUserContext: (config.initial?.messages.length ?? 0) > 0,
    recordedCwd: config.appState.get().cwd,
    turn: undefined,
    isClosed: false,
  };
}

/** The one way into the journal: keeps what the session derives from it. Resolves when durable. */
export function record(session: Session, entry: JournalEntry): Promise<void> {
  if (entry.type === "message") {
    session.leaf = entry.message.uuid;
    session.usedUuids.add(entry.message.uuid);
  }
  if (entry.type === "compact_boundary") session.leaf = entry.summary.uuid;
  if (entry.type === "ledger") session.ledger.add(entry);
  return session.config.store.append(entry);
}

/** Where the shell stands, when a turn has moved it. */
export async function recordCwd(session: Session): Promise<void> {
  const { cwd } = session.config.appState.get();
  if (cwd === session.recordedCwd) return;
  session.recordedCwd = cwd;
  await record(session, { type: "state", part: "cwd", value: cwd });
}
