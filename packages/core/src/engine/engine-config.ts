import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { JournalEntry, QuerySource } from "../history/journal.ts";
import type { Message, Uuid } from "../messages/message.ts";
import type { Model, ThinkingConfig } from "../models/model.ts";
import type { Classify } from "../permissions/classifier.ts";
import type { CanUseTool, Decision } from "../permissions/decision.ts";
import type { ModeRefusals } from "../permissions/mode-limits.ts";
import type { ReadFilter } from "../permissions/read-access.ts";
import type { PermissionUpdate } from "../permissions/update.ts";
import type { StreamCutRecovery, WantedOutput } from "../query/config.ts";
import type { QueryDeps } from "../query/deps.ts";
import type { Shell } from "../shell/shell.ts";
import type { TaskListStore } from "../tools/builtin/task-list-store.ts";
import type { DecidedCall } from "../tools/call.ts";
import type { Tool } from "../tools/tool.ts";
import type { TranscriptStore } from "../transcript/store.ts";
import type { AppState, AppStateStore } from "./app-state.ts";
import type { Command } from "./command.ts";
import type { ToolSearchMode } from "./tool-search-mode.ts";

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
  /** Asked small questions beside the conversation, such as what a fetched page says; without one what needs it says so. */
  readonly smallModel?: Model;
  /** Whether there are new credentials to try after a refusal. */
  refreshCredentials?(): Promise<boolean>;
  /** Takes whom to tell that new credentials are waited for. */
  onKeyWait?(listener: (text: string) => void): void;
  /** Times that a request which fails is made again; default 9. */
  readonly maxRetries?: number;
  /** What is done about answers that break off again and again; default `continue`. */
  readonly streamCutRecovery?: StreamCutRecovery;
  /** The unit of waits between tries. Milliseconds. */
  readonly retryBaseMs?: number;
  /** Overloads and limits are ridden out up to this time. Milliseconds since the epoch. */
  readonly unattendedUntil?: number;
  readonly thinking?: ThinkingConfig;
  readonly tools: readonly Tool[];
  /** Which of them the model must search for; default `where_taken`. */
  readonly toolSearch?: ToolSearchMode;
  readonly commands: readonly Command[];
  /** The system prompt's sections in order, for the tools offered. */
  systemPrompt(tools: readonly Tool[]): readonly string[];
  /** What stands in front of the first user message; taken once, and again when the conversation starts anew. */
  userContext(): Promise<string | undefined>;
  /** Before anything of a turn: what a turn takes from outside is brought up to date, and stays so until its end. */
  beginTurn?(): Promise<void>;
  /** Rules and mode; what it leaves open the host answers. */
  decide(call: DecidedCall, state: AppState): Promise<Decision>;
  /** What the rules say of the files below a folder; undefined when no rule is about files. */
  readFilter?(folder: string, state: AppState): Promise<ReadFilter | undefined>;
  readonly canUseTool?: CanUseTool;
  /** Answers in mode `auto`; without it the small model does. */
  readonly classify?: Classify;
  /** Modes that this session may not enter, and why. */
  readonly modeRefusals?: ModeRefusals;
  /** Writes a change of permissions to the settings file that it is for; gives notes. Throws what keeps it from that. */
  savePermissions?(update: PermissionUpdate): Promise<readonly string[]>;
  readonly appState: AppStateStore;
  readonly store: TranscriptStore;
  readonly files: WorkspaceFiles;
  readonly shell: Shell & { close(): Promise<void> };
  readonly readState: FileStateCache;
  /** Absolute real path of the session's plan, the one file that mode `plan` lets be written. */
  readonly planPath: string;
  /** A task list that other sessions share; default the session's own. */
  readonly taskList?: TaskListStore;
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
  /** Whether the small model says in a line what the calls of each answer did. */
  readonly toolUseSummaries?: boolean;
  readonly includePartialMessages?: boolean;
  readonly replayUserMessages?: boolean;
  readonly durable?: boolean;
  /** Aborts the whole session. */
  readonly signal?: AbortSignal;
  readonly clock: Pick<QueryDeps, "now" | "uuid" | "sleep" | "random">;
};
