import type { Model, ThinkingConfig } from "../models/model.ts";
import type { Classify } from "../permissions/classifier.ts";
import type { CanUseTool } from "../permissions/decision.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tools/tool.ts";
import type { AskTrust } from "../trust/trust-question.ts";

/** What an embedding program or a front end may set. Everything is optional. */
export type EngineOptions = {
  /** Absolute or relative to the process; default the process's. */
  cwd?: string;
  /** An id, an alias (`sonnet`), `scripted:FILE`, or a model of your own. */
  model?: string | Model;
  /** Asked in order when the model is overloaded again and again, or refuses; default the settings' `fallbackModel`. */
  fallbackModels?: readonly (string | Model)[];
  /**
   * Asked small questions beside the conversation; default `PAWL_SMALL_FAST_MODEL` (`ANTHROPIC_SMALL_FAST_MODEL`,
   * `ANTHROPIC_DEFAULT_HAIKU_MODEL`), else the small model of the main one's provider.
   */
  smallModel?: string | Model;
  /** Nobody waits: overloads and limits are ridden out this long from now, beyond the usual tries. Milliseconds. */
  unattendedMs?: number;
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
  /** Lets the session enter mode `bypassPermissions` later; starting in it allows that too. Not for root outside a sandbox. */
  allowDangerouslySkipPermissions?: boolean;
  /** Decides in mode `auto` what the rules leave open; default a question to the small model. */
  classify?: Classify;
  /** Answers what the rules leave open. Without it such calls are denied. */
  canUseTool?: CanUseTool;
  additionalDirectories?: readonly string[];
  /** Rounds a turn may take, at least 1. */
  maxTurns?: number;
  /**
   * Dollars that this engine may spend, over all its turns; what a resumed session had cost before does not count. Checked after
   * each response: the calls of the one that reaches it still run, then the turn ends. Models must have a known price.
   */
  maxBudgetUsd?: number;
  /** Tokens that one turn may use: output, and input that does not come from the cache. The model is told at 90 %. */
  taskBudget?: number;
  /** What one turn may take, whatever runs then. Milliseconds. */
  maxDurationMs?: number;
  /** Calls that one turn may make; the model is told at the last one, and another ends the turn. */
  maxToolCalls?: number;
  /**
   * A JSON Schema: each turn ends with output that fits it, as `structured_output` of the result, or fails after 5 retries
   * (`PAWL_MAX_STRUCTURED_OUTPUT_RETRIES`). `format` is not checked.
   */
  outputSchema?: object;
  /** Whether the small model says in a line what the calls of each answer did (`tool_use_summary` frames); default no. */
  toolUseSummaries?: boolean;
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
  /** Files that settings come from; default all. Those of the machine's policy always count. */
  settingSources?: readonly ("user" | "project" | "local")[];
  /** Settings of this run, over those of the files: a file relative to `cwd`, JSON text, or an object. */
  settings?: string | Readonly<Record<string, unknown>>;
  /** A policy that no other settings can undo; that of the machine is stronger still. */
  managedSettings?: Readonly<Record<string, unknown>>;
  /** Absolute folders with `managed-settings.json`, the weakest first; default the platform's, such as `/etc/pawl`. */
  managedSettingsFolders?: readonly string[];
  /** Uses what the folder contains (its settings, variables, commands) for this session; nothing is remembered. */
  trustFolder?: boolean;
  /** Asked once, before anything of a folder without consent is used. Without it such parts are left out, with a notice. */
  askTrust?: AskTrust;
  abortController?: AbortController;
  /** Who embeds: `cli`, `sdk-ts`, …; kept in the transcript. */
  entrypoint?: string;
  /** Tools start only after the whole answer is recorded, in a fixed order. */
  durable?: boolean;
};
