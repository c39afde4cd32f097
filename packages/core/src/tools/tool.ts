import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { ContentBlock, ToolUseId } from "../messages/message.ts";
import type { Touch } from "../permissions/touch.ts";
import type { Shell } from "../shell/shell.ts";

/** What a tool is: facts the executor and the permission decision need, and one function. Policy is not its business. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, as the model sees it. */
  readonly inputSchema: object;
  /** A longer result is stored whole and the model gets head and tail. Characters. */
  readonly maxResultChars: number;
  /** A failure cancels later calls of the same answer whose tool says so too (shell commands). */
  readonly failureCancelsSiblings?: boolean;
  /** Where the tool comes from; built-in when left out. */
  readonly origin?: "builtin" | "sdk" | "mcp";
  parse(input: unknown): ParsedInput<Input>;
  isReadOnly(input: Input): boolean;
  isConcurrencySafe(input: Input): boolean;
  /** Paths (absolute or relative to the cwd) and commands that the permission decision looks at. */
  touches(input: Input): readonly Touch[];
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

export type ParsedInput<Input> = { ok: true; input: Input } | { ok: false; issues: readonly string[] };

export type { Touch };

/** `structured` is the tool's public result object (`tool_use_result`): for eyes and transcripts, never sent to the model. */
export type ToolResult = { content: string | ContentBlock[]; isError?: boolean; structured?: unknown };

/** What one call may use. Each tool names what it takes of it. */
export interface ToolContext {
  readonly toolUseId: ToolUseId;
  readonly signal: AbortSignal;
  /** Absolute. The session's current directory when the call starts. */
  readonly cwd: string;
  /** Absolute real paths: the start directory and the added ones. */
  readonly roots: readonly string[];
  /** Moves the session's current directory. */
  setCwd(path: string): void;
  readonly files: WorkspaceFiles;
  readonly readState: FileStateCache;
  readonly shell: Shell;
  /** Parts of the session's state that tools own, such as the to-do list; journalled when set. */
  readonly state: { get(part: string): unknown; set(part: string, value: unknown): Promise<void> };
  /** Stores a big output beside the session. Gives the absolute path. */
  storeOutput(name: string, text: string): Promise<string>;
  progress(update: unknown): void;
}

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
