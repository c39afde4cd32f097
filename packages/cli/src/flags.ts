import { modelAliases, permissionModes } from "@pawl/core";
import * as values from "./flag-values.ts";
import type { Invocation } from "./invocation.ts";

/** One row for each flag: it feeds the parser and the help. Every flag takes `--flag value` and `--flag=value`. */
type Flag = {
  /** As the help shows it: all spellings, then what it takes: `<needed>` or `[optional]`. */
  usage: string;
  help: string;
  /** A value comes only as `--flag=value`: what follows the bare flag is the prompt. */
  takesValueByEquals?: boolean;
  /** Puts the value into what is asked for; without a value `text` is empty. Throws UsageError. */
  set(into: Invocation, text: string): void;
};

/** A night: longer overloads and limits are for a person to look at. */
const DEFAULT_UNATTENDED_MINUTES = 480;
const MAX_UNATTENDED_MINUTES = 20 * 24 * 60;

const outputFormats = ["text", "json", "stream-json"] as const;
const inputFormats = ["text", "stream-json"] as const;

export const flags: readonly Flag[] = [
  {
    usage: "-p, --print",
    help: "Answer one prompt and end. The prompt is the argument, standard input, or both. Not needed in a pipe or with json formats.",
    set(into) {
      into.print = true;
    },
  },
  {
    usage: "--model <model>",
    help: `An alias (${modelAliases.join(", ")}), a full name, or scripted:FILE for a scenario (see docs/scenarios.md).`,
    set(into, text) {
      into.model = values.text("--model", text);
    },
  },
  {
    usage: "--fallback-model <models>",
    help: "Models to ask when the first is overloaded again and again, in order, with commas between.",
    set(into, text) {
      into.options.fallbackModels = values.list("--fallback-model", text);
    },
  },
  {
    usage: "--unattended [minutes]",
    help: `Nobody waits: ride out overloads and limits for so long (--unattended=90). Default: ${DEFAULT_UNATTENDED_MINUTES} minutes.`,
    takesValueByEquals: true,
    set(into, text) {
      const minutes =
        text === "" ? DEFAULT_UNATTENDED_MINUTES : values.positiveInteger("--unattended", text, MAX_UNATTENDED_MINUTES);
      into.options.unattendedMs = minutes * 60_000;
    },
  },
  {
    usage: "--max-turns <n>",
    help: "Requests to the model that a turn may take. Default: no limit.",
    set(into, text) {
      into.options.maxTurns = values.positiveInteger("--max-turns", text);
    },
  },
  {
    usage: "--max-tool-calls <n>",
    help: "Calls of tools that a turn may make; the model is told at the last one. Default: no limit.",
    set(into, text) {
      into.options.maxToolCalls = values.positiveInteger("--max-tool-calls", text);
    },
  },
  {
    usage: "--max-duration <time>",
    help: "What a turn may take, such as 90s, 15m or 2h; then it ends, whatever runs. Default: no limit.",
    set(into, text) {
      into.options.maxDurationMs = values.duration("--max-duration", text);
    },
  },
  {
    usage: "--max-budget-usd <amount>",
    help: "Dollars that the run may cost, looked at after each answer. Default: no limit.",
    set(into, text) {
      into.options.maxBudgetUsd = values.dollars("--max-budget-usd", text);
    },
  },
  {
    usage: "--task-budget <tokens>",
    help: "Tokens that a turn may use, those from the cache not counted. The model is told at 90 %. Default: no limit.",
    set(into, text) {
      into.options.taskBudget = values.positiveInteger("--task-budget", text);
    },
  },
  {
    usage: "--json-schema <schema>",
    help: "A JSON Schema, inline: the answer is JSON that fits it. With json formats it is `structured_output` of the result.",
    set(into, text) {
      into.options.outputSchema = values.jsonSchema("--json-schema", text);
    },
  },
  {
    usage: "--permission-mode <mode>",
    help: `What happens before a tool changes something: ${permissionModes.join(", ")}.`,
    set(into, text) {
      const mode = text === "manual" ? "default" : text;
      into.options.permissionMode = values.oneOf("--permission-mode", mode, permissionModes);
    },
  },
  {
    usage: "--dangerously-skip-permissions",
    help: "Ask nothing: --permission-mode bypassPermissions, unless that flag names another to start in. Not for root outside a sandbox.",
    set(into) {
      into.options.permissionMode ??= "bypassPermissions";
      into.options.allowDangerouslySkipPermissions = true;
    },
  },
  {
    usage: "--allow-dangerously-skip-permissions",
    help: "Let the session enter that mode later.",
    set(into) {
      into.options.allowDangerouslySkipPermissions = true;
    },
  },
  {
    usage: "--allowedTools, --allowed-tools <rules>",
    help: 'What needs no asking: "Read, Bash(npm test), Edit". May be repeated.',
    set(into, text) {
      into.allowedTools.push(...values.rules("--allowedTools", text));
    },
  },
  {
    usage: "--disallowedTools, --disallowed-tools <rules>",
    help: "What is refused. A bare tool name removes the tool. May be repeated.",
    set(into, text) {
      into.disallowedTools.push(...values.rules("--disallowedTools", text));
    },
  },
  {
    usage: "--settings <file-or-json>",
    help: "Settings of this run, over those of the files: a file, or JSON. See docs/settings.md.",
    set(into, text) {
      into.options.settings = values.text("--settings", text);
    },
  },
  {
    usage: "--setting-sources <sources>",
    help: 'Files that settings come from: user, project, local with commas between; "" for none. Default: all.',
    set(into, text) {
      into.options.settingSources = values.settingSources("--setting-sources", text);
    },
  },
  {
    usage: "--trust",
    help: "Use what this folder contains (its settings, variables, commands) for this run. See docs/trust.md.",
    set(into) {
      into.options.trustFolder = true;
    },
  },
  {
    usage: "--tools <names>",
    help: 'The built-in tools to offer: "Read, Grep", "default" for all, "" for none.',
    set(into, text) {
      setTools(into, values.rules("--tools", text));
    },
  },
  {
    usage: "--system-prompt <text>",
    help: 'Instead of the default system prompt; "" for none.',
    set(into, text) {
      into.options.systemPrompt = text;
    },
  },
  {
    usage: "--append-system-prompt <text>",
    help: "Added at the end of the system prompt.",
    set(into, text) {
      into.options.appendSystemPrompt = text;
    },
  },
  {
    usage: "--add-dir <directory>",
    help: "A further directory that tools may use. May be repeated.",
    set(into, text) {
      into.additionalDirectories.push(values.existingDirectory("--add-dir", text));
    },
  },
  {
    usage: "-c, --continue",
    help: "Go on with this directory's newest session.",
    set(into) {
      into.options.continueSession = true;
    },
  },
  {
    usage: "-r, --resume <id>",
    help: "Go on with the session of this id.",
    set(into, text) {
      into.options.resume = values.sessionId("--resume", text);
    },
  },
  {
    usage: "--fork-session",
    help: "With --continue or --resume: under a new id, the old session untouched.",
    set(into) {
      into.options.forkSession = true;
    },
  },
  {
    usage: "--session-id <uuid>",
    help: "The id of the new session.",
    set(into, text) {
      into.options.sessionId = values.uuid("--session-id", text);
    },
  },
  {
    usage: "--no-session-persistence",
    help: "Write no transcript.",
    set(into) {
      into.options.persistSession = false;
    },
  },
  {
    usage: "--output-format <format>",
    help: "text: the answer. json: one object at the end. stream-json: one object a line, as it happens.",
    set(into, text) {
      into.outputFormat = values.oneOf("--output-format", text, outputFormats);
    },
  },
  {
    usage: "--input-format <format>",
    help: "text, or stream-json: user messages on standard input, one object a line, a turn for each.",
    set(into, text) {
      into.inputFormat = values.oneOf("--input-format", text, inputFormats);
    },
  },
  {
    usage: "--include-partial-messages",
    help: "With stream-json output: the answer also piece by piece.",
    set(into) {
      into.options.includePartialMessages = true;
    },
  },
  {
    usage: "--replay-user-messages",
    help: "With stream-json input and output: give user messages back as they are taken.",
    set(into) {
      into.options.replayUserMessages = true;
    },
  },
  {
    usage: "--verbose",
    help: "Show tool results at full length.",
    set(into) {
      into.isVerbose = true;
    },
  },
  {
    usage: "--demo",
    help: "Let the agent fix a small project in the temp directory, with a scripted model when there is no key. Takes --model.",
    set(into) {
      into.demo = true;
    },
  },
];

function setTools(into: Invocation, names: readonly string[]): void {
  const isDefault = names.length === 1 && names[0] === "default";
  if (isDefault) delete into.options.tools;
  else into.options.tools = names;
}
