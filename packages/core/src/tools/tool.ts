import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { ContentBlock, MessageOrigin, ToolUseId } from "../messages/message.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { ReadAccess } from "../permissions/read-access.ts";
import type { Touch } from "../permissions/touch.ts";
import type { Shell } from "../shell/shell.ts";
import type { TaskListStore } from "./builtin/task-list-store.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Tasks } from "./tasks.ts";

/** What a tool is: facts the executor and the permission decision need, and one function. Policy is not its business. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** Names that it had before: a call by one of them is a call of it. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** JSON Schema of the input, as the model sees it. */
  readonly inputSchema: object;
  /** A longer result is stored whole and the model gets head and tail. Characters. */
  readonly maxResultChars: number;
  /** A failure cancels later calls of the same answer whose tool says so too (shell commands). */
  readonly failureCancelsSiblings?: boolean;
  /**
   * The model gets its schema only when it has searched for it. Default: as the session's settings say of tools of that origin.
   */
  readonly deferred?: boolean;
  /** Where the tool comes from; built-in when left out. */
  readonly origin?: "builtin" | "sdk" | "mcp";
  parse(input: unknown): ParsedInput<Input>;
  /** Reads input that a host gave back, where that may say more than the model's, such as answers. Default: `parse`. */
  parseAnswered?(input: unknown): ParsedInput<Input>;
  /** What rules, hooks and host see where it is more than the model gave, such as a plan. What it throws is the call's failure. */
  shownInput?(input: Input, context: ToolContext): Promise<Record<string, unknown>>;
  isReadOnly(input: Input): boolean;
  isConcurrencySafe(input: Input): boolean;
  /** Paths (absolute or relative to the cwd) and commands that the permission decision looks at. */
  touches(input: Input): readonly Touch[];
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

export type ParsedInput<Input> = { ok: true; input: Input } | { ok: false; issues: readonly string[] };

export type { Touch };

/** `structured` is the tool's public result object (`tool_use_result`): for eyes and transcripts, never sent to the model. */
export type ToolResult = {
  content: string | ContentBlock[];
  isError?: boolean;
  structured?: unknown;
  /** Says less: a result whose text has at most about so many characters. Without it a long one is stored and the model gets a preview. */
  shorten?(maxChars: number): Promise<ToolResult>;
  /** It says less than the tool had given. */
  isCut?: boolean;
};

/** What one call may use. Each tool names what it takes of it. */
export interface ToolContext {
  readonly toolUseId: ToolUseId;
  readonly signal: AbortSignal;
  /** Absolute. The session's current directory when the call starts. */
  readonly cwd: string;
  /** Absolute real paths: the start directory and the added ones. */
  readonly roots: readonly string[];
  /** The permission mode; a tool changes it only as far as the user agreed. Journalled when set. */
  readonly mode: { get(): PermissionMode; set(mode: PermissionMode): Promise<void> };
  /** Absolute. The one file that plan mode lets be written. */
  readonly planPath: string;
  /** Moves the session's current directory. */
  setCwd(path: string): void;
  readonly files: WorkspaceFiles;
  /** What the rules let be read beyond the call's own path; left out where there are none, and all may be read. */
  readonly readAccess?: ReadAccess;
  readonly readState: FileStateCache;
  readonly shell: Shell;
  /** Parts of the session's state that tools own, such as the to-do list; journalled when set. */
  readonly state: { get(part: string): unknown; set(part: string, value: unknown): Promise<void> };
  readonly taskList: TaskListStore;
  /** Stores a big output beside the session. Gives the absolute path. */
  storeOutput(name: string, text: string): Promise<string>;
  progress(update: unknown): void;
  /** Work of this session that goes on beside its calls and turns. */
  readonly tasks: Tasks;
  /** Prompts that come by themselves at a time. */
  readonly scheduler: Scheduler;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Tells the model something at the next round of the running turn, else in the next turn; a live host starts one for it. */
  notify(notice: Notice): void;
  /** Calls the user back to this session with one line of text. Does not wait. */
  notifyUser(text: string): void;
  /** Left out when the session has no small model: a tool that needs one says so in its result. */
  readonly askSmallModel?: AskSmallModel;
  /** Left out where no model of the session searches the web by itself. */
  readonly searchWeb?: SearchWeb;
  /** Left out where the model knows all tools. */
  readonly deferredTools?: DeferredTools;
}

/** One search by the provider, beside the conversation, of at most `maxSearches` queries. */
export type WebSearchQuestion = {
  query: string;
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  maxSearches: number;
  signal: AbortSignal;
};

/**
 * Gives what the provider's model answered: its server tool's uses and results, and its words. @throws PawlError `web_search`
 * with what went wrong, `aborted` when the signal aborts.
 */
export type SearchWeb = (question: WebSearchQuestion) => Promise<readonly ContentBlock[]>;

/** Tools that the model may search for. */
export type DeferredTools = {
  readonly tools: readonly Pick<Tool, "name" | "description" | "inputSchema">[];
  /** From the next request on the model may call these. Resolves when durable. */
  load(names: readonly string[]): Promise<void>;
};

/** A message for the model that is not the user's: eyes know it by its origin. */
export type Notice = { text: string; origin: MessageOrigin };

/** One question to the session's small model, beside the conversation. `maxTokens` bounds the answer; `signal` ends the wait. */
export type SmallModelQuestion = { system: string; prompt: string; maxTokens: number; signal: AbortSignal };

/** Gives the text of the answer. @throws PawlError `small_model` with what went wrong, `aborted` when the signal aborts. */
export type AskSmallModel = (question: SmallModelQuestion) => Promise<string>;

/** One call from validation to result. */
export type ToolOutcome =
  | { type: "done"; result: ToolResult }
  /** The input, or the tool's name, is not right; nothing ran. */
  | { type: "invalid"; message: string }
  | { type: "denied"; reason: string; interrupt: boolean; by?: "user" | "rule" | "mode" | "host" }
  | { type: "failed"; message: string }
  | { type: "cancelled"; reason: CancelReason }
  | { type: "stopped_by_hook"; reason: string }
  /** The session cannot go on, such as when its folder is gone: the turn ends. */
  | { type: "session_broken"; message: string };
export type CancelReason = "abort" | "sibling_failed" | "discarded_answer" | "timeout";

/** One call as the model asked for it. */
export type ToolCall = { id: ToolUseId; name: string; input: unknown; unparsedInput?: string };
