import { constants } from "node:os";
import { sep } from "node:path";
import { exitMeaning } from "../../shell/exit-meaning.ts";
import { askedForInput } from "../../shell/input-hint.ts";
import { isHarmless } from "../../shell/plain-command.ts";
import type { ShellResult } from "../../shell/shell.ts";
import { defineTool } from "../define-tool.ts";
import { cutText, storedPreview } from "../result-budget.ts";
import type { ToolContext, ToolResult } from "../tool.ts";

export type BashOptions = {
  /** When a call names none. */
  defaultTimeoutMs?: number;
  /** The most a call may ask for; at least the default. */
  maxTimeoutMs?: number;
  /** A longer output of a successful command is stored in a file. At most 150,000. */
  maxOutputChars?: number;
};

const MAX_OUTPUT_CHARS = 150_000;
/** Of each of stdout and stderr this much is held and stored. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;
/** Of a failed command the two ends are given; together this much. Characters. */
const MAX_FAILURE_CHARS = 10_000;
/** What the notes around an output may take. Characters. */
const MAX_NOTES_CHARS = 5_000;
/** What shells add to the number of the signal that ended a command. */
const SIGNAL_EXIT_BASE = 128;

const inputSchema = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command line to run." },
    timeout: { type: "number", minimum: 1, description: "Milliseconds after which the command is ended." },
    description: { type: "string", description: "What the command does, in five to ten words." },
    run_in_background: { type: "boolean", description: "Not available yet." },
    dangerouslyDisableSandbox: { type: "boolean", description: "Run without the sandbox, where there is one." },
  },
  required: ["command"],
  additionalProperties: false,
} as const;

/** Runs command lines in the user's shell. */
export function createBashTool(options: BashOptions = {}) {
  const defaultTimeoutMs = options.defaultTimeoutMs ?? 120_000;
  const maxTimeoutMs = Math.max(options.maxTimeoutMs ?? 600_000, defaultTimeoutMs);
  const maxOutputChars = Math.min(options.maxOutputChars ?? 30_000, MAX_OUTPUT_CHARS);
  return defineTool({
    name: "Bash",
    description: `Runs a command line in the user's shell and gives what it wrote.

- Each call is a process of its own. Only the working directory carries over to the next call, as long as it stays inside the project; variables, functions and aliases do not.
- Standard input is empty and there is no terminal: use the flags that make a program run unattended, such as -y, --no-edit or -m. Editors and pagers do nothing.
- A command is ended after ${defaultTimeoutMs} ms unless timeout says otherwise (at most ${maxTimeoutMs} ms). What it has started in the background ends with it, unless it left the session (setsid).
- Quote paths that have blanks. To write to standard error use >&2, not > /dev/stderr.
- An output above ${maxOutputChars} characters is stored in a file and you get its beginning and its end.`,
    inputSchema,
    maxResultChars: maxOutputChars + MAX_NOTES_CHARS,
    failureCancelsSiblings: true,
    isReadOnly: ({ command }) => isHarmless(command),
    isConcurrencySafe: ({ command }) => isHarmless(command),
    touches: ({ command }) => [{ type: "command", command }],
    async run(input, context) {
      if (input.run_in_background === true) return failure(NO_BACKGROUND);
      const timeoutMs = Math.min(input.timeout ?? defaultTimeoutMs, maxTimeoutMs);
      const result = await context.shell.run({
        command: input.command,
        cwd: context.cwd,
        timeoutMs,
        signal: context.signal,
        maxOutputBytes: MAX_STORED_BYTES,
      });
      if (result.failure !== undefined) return notStarted(result.failure, context);
      if (result.aborted) return interrupted(result);
      const notes = [...(await followCwd(result, context)), ...notesOn(input.command, result, timeoutMs)];
      const meaning = result.exitCode === null ? undefined : exitMeaning(input.command, result.exitCode, result.stderr);
      const isSuccess = hasEnded(result) && (result.exitCode === 0 || meaning !== undefined);
      return isSuccess ? success(result, meaning, notes, maxOutputChars, context) : failed(result, notes);
    },
  });
}

const NO_BACKGROUND =
  "Commands cannot run in the background yet. Run it without run_in_background and, if it takes long, with a timeout that is long enough.";

const hasEnded = (result: ShellResult): boolean => !result.timedOut && result.exceededOutput !== true;

async function success(
  result: ShellResult,
  meaning: string | undefined,
  notes: readonly string[],
  maxOutputChars: number,
  { toolUseId, storeOutput }: ToolContext,
): Promise<ToolResult> {
  const output = outputOf(result);
  const isStored = output.length > maxOutputChars;
  const path = isStored ? await storeOutput(toolUseId, output) : undefined;
  const shown = path === undefined ? output : storedPreview(output, path);
  const isSilent = output === "" && meaning === undefined;
  const ends = { head: Math.floor(maxOutputChars / 2), tail: Math.floor(maxOutputChars / 2) };
  return {
    content: joined([isSilent ? "(Bash completed with no output)" : shown, meaning, ...notes]).toWellFormed(),
    structured: {
      stdout: cutText(result.stdout, maxOutputChars, ends),
      stderr: cutText(result.stderr, maxOutputChars, ends),
      interrupted: false,
      ...(meaning !== undefined && { returnCodeInterpretation: meaning }),
      ...(path !== undefined && { persistedOutputPath: path, persistedOutputSize: Buffer.byteLength(output) }),
    },
  };
}

function failed(result: ShellResult, notes: readonly string[]): ToolResult {
  const half = MAX_FAILURE_CHARS / 2;
  const output = cutText(outputOf(result), MAX_FAILURE_CHARS, { head: half, tail: half });
  return failure(joined([`Exit code ${exitCodeOf(result)}`, output, ...notes]));
}

/** The result of a command that the user stopped. */
function interrupted(result: ShellResult): ToolResult {
  const half = MAX_FAILURE_CHARS / 2;
  const ends = { head: half, tail: half };
  const stdout = cutText(result.stdout, MAX_FAILURE_CHARS, ends);
  const stderr = cutText(result.stderr, MAX_FAILURE_CHARS, ends);
  const content = joined(["The command was interrupted before it had ended.", stdout, stderr]);
  return { content, isError: true, structured: { stdout, stderr, interrupted: true } };
}

/** Consumers know an error by its structured value being a string. */
function failure(text: string): ToolResult {
  return { content: text, isError: true, structured: `Error: ${text}` };
}

async function notStarted(reason: string, context: ToolContext): Promise<ToolResult> {
  const [start] = context.roots;
  const isCwdGone = (await context.files.stat(context.cwd)) === undefined;
  if (!isCwdGone || start === undefined || start === context.cwd) return failure(reason);
  context.setCwd(start);
  return failure(`${reason}\nShell cwd was reset to ${start}`);
}

/** Moves the session to where the command went, as long as that is inside the project. */
async function followCwd(result: ShellResult, context: ToolContext): Promise<string[]> {
  const { finalCwd } = result;
  if (finalCwd === undefined || !hasEnded(result) || finalCwd === context.cwd) return [];
  if (context.roots.some((root) => isInside(root, finalCwd))) {
    context.setCwd(finalCwd);
    return [];
  }
  const stayed = (await context.files.realPath(context.cwd)) === finalCwd;
  return stayed ? [] : [`Shell cwd was reset to ${context.cwd}`];
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

function notesOn(command: string, result: ShellResult, timeoutMs: number): string[] {
  const notes: string[] = [];
  if (result.timedOut) notes.push(timeoutNote(timeoutMs));
  if (result.exceededOutput === true)
    notes.push("The command was ended because it wrote far too much. Filter its output.");
  if (result.endedLeftovers === true) notes.push(LEFTOVERS_NOTE);
  if (!result.timedOut && askedForInput(command, result.stderr)) notes.push(INPUT_NOTE);
  return notes;
}

const timeoutNote = (timeoutMs: number) =>
  `The command did not end within ${timeoutMs / 1000} s and was ended with everything it had started. ` +
  "If it needs longer, set timeout (milliseconds); if it waits for something, give it what it waits for; if it never ends, run a part that does.";
const LEFTOVERS_NOTE = "Processes that the command had left running in the background were ended with it.";
const INPUT_NOTE =
  "The command wanted input, but standard input is empty and there is no terminal. Use its non-interactive form: a flag such as -y, --no-edit or -m, an argument, a file or a pipe.";

function outputOf({ stdout, stderr }: ShellResult): string {
  return joined([stdout.trimEnd(), stderr.trimEnd()]);
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n");

function exitCodeOf({ exitCode, killedBy }: ShellResult): number {
  if (exitCode !== null) return exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return SIGNAL_EXIT_BASE + (signals[killedBy ?? "SIGKILL"] ?? 0);
}
