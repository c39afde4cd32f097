import type { Model, ThinkingConfig } from "../models/model.ts";
import type { CanUseTool } from "../permissions/decision.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tools/tool.ts";

/** What an embedding program or a front end may set. Everything is optional. */
export type EngineOptions = {
  /** Absolute or relative to the process; default the process's. */
  cwd?: string;
  /** An id, an alias (`sonnet`), `scripted:FILE`, or a model of your own. */
  model?: string | Model;
  /** Replaces the default prompt; an empty string means no system prompt. */
  systemPrompt?: string;
  /** Always last. */
  appendSystemPrompt?: string;
  /** Names of the built-in tools to offer; default all, empty none. */
  tools?: readonly string[];
  /** In-process tools, made by `tool()`. */
  customTools?: readonly Tool[];
  /** Permission rules that allow, such as `Read` or `Bash(npm test)`. */
  allowedTools?: readonly string[];
  /** Permission rules that deny; a bare name removes the tool. */
  disallowedTools?: readonly string[];
  permissionMode?: PermissionMode;
  /** Answers what the rules leave open. Without it such calls are denied. */
  canUseTool?: CanUseTool;
  additionalDirectories?: readonly string[];
  /** Rounds a turn may take, at least 1. */
  maxTurns?: number;
  thinking?: ThinkingConfig;
  /** Whether `stream_event` frames are given. */
  includePartialMessages?: boolean;
  replayUserMessages?: boolean;
  /** A UUID for the new session. */
  sessionId?: string;
  /** Goes on with a stored session. */
  resume?: string;
  /** Goes on with this folder's newest session. */
  continueSession?: boolean;
  /** With `resume` or `continueSession`: under a new id, the old file untouched. */
  forkSession?: boolean;
  /** Whether the session is written to disk; default yes. */
  persistSession?: boolean;
  /** Variables for the engine and its children; default the process's. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Files that settings come from; default all. */
  settingSources?: readonly ("user" | "project" | "local")[];
  abortController?: AbortController;
  /** Who embeds: `cli`, `sdk-ts`, …; kept in the transcript. */
  entrypoint?: string;
  /** Tools start only after the whole answer is recorded, in a fixed order. */
  durable?: boolean;
};
