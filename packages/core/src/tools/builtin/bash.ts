import { basename } from "node:path";
import { isInside } from "../../lib/is-inside.ts";
import { isHarmless } from "../../shell/plain-command.ts";
import type { ShellResult } from "../../shell/shell.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_RUNNING_TASKS, type Task } from "../tasks.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { bashResult, hasEnded } from "./bash-result.ts";
import { errorResult, refusal } from "./error-result.ts";
import { followJob, HELD_JOB_BYTES, mayMoveToBackground } from "./shell-task.ts";
import { noteShownFile } from "./shown-file.ts";

export type BashOptions = {
  /** When a call names none. */
  defaultTimeoutMs?: number;
  /** The most a call may ask for; at least the default. */
  maxTimeoutMs?: number;
  /** The same for what runs in the background. */
  defaultBackgroundTimeoutMs?: number;
  maxBackgroundTimeoutMs?: number;
  /** A longer output of a successful command is stored in a file. At most 150,000. */
  maxOutputChars?: number;
  /** Everything runs in the foreground. */
  noBackground?: boolean;
  /** Each command begins in the session's start directory. */
  keepsStartCwd?: boolean;
  /** Path or name of the shell, for the model. */
  shell?: string;
};

const MAX_OUTPUT_CHARS = 150_000;
/** Of each of stdout and stderr this much is held in memory; more goes to a file as it comes. */
const MAX_HELD_BYTES = 1024 * 1024;
/** What the notes around an output may take. Characters. */
const MAX_NOTES_CHARS = 5_000;

const inputSchema = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command line to run." },
    timeout: {
      type: "number",
      minimum: 1,
      description: "Milliseconds after which the command is no longer waited for.",
    },
    description: { type: "string", description: "What the command does, in five to ten words." },
    run_in_background: { type: "boolean", description: "Start it and go on; you are told when it ends." },
    dangerouslyDisableSandbox: { type: "boolean", description: "Run without the sandbox, where there is one." },
  },
  required: ["command"],
  additionalProperties: false,
} as const;

type Limits = Required<Omit<BashOptions, "shell">>;
type Input = { command: string; timeout?: number; description?: string; run_in_background?: boolean };

/** Runs command lines in the user's shell. */
export function createBashTool(options: BashOptions = {}) {
  const limits = limitsOf(options);
  return defineTool({
    name: "Bash",
    description: descriptionOf(limits, options.shell),
    inputSchema,
    maxResultChars: limits.maxOutputChars + MAX_NOTES_CHARS,
    failureCancelsSiblings: true,
    isReadOnly: ({ command }) => isHarmless(command),
    isConcurrencySafe: ({ command }) => isHarmless(command),
    touches: ({ command }) => [{ type: "command", command }],
    run: (input, context) =>
      input.run_in_background === true && !limits.noBackground
        ? runInBackground(input, limits, context)
        : runInForeground(input, limits, context),
  });
}

function limitsOf(options: BashOptions): Limits {
  const defaultTimeoutMs = options.defaultTimeoutMs ?? 120_000;
  const defaultBackgroundTimeoutMs = options.defaultBackgroundTimeoutMs ?? 1_800_000;
  return {
    defaultTimeoutMs,
    maxTimeoutMs: Math.max(options.maxTimeoutMs ?? 600_000, defaultTimeoutMs),
    defaultBackgroundTimeoutMs,
    maxBackgroundTimeoutMs: Math.max(options.maxBackgroundTimeoutMs ?? 7_200_000, defaultBackgroundTimeoutMs),
    maxOutputChars: Math.min(options.maxOutputChars ?? 30_000, MAX_OUTPUT_CHARS),
    noBackground: options.noBackground ?? false,
    keepsStartCwd: options.keepsStartCwd ?? false,
  };
}

function descriptionOf(limits: Limits, shell = "the user's shell"): string {
  const background = limits.noBackground
    ? ""
    : `
- With run_in_background it starts and you go on at once: you get an id and the path of its output, and are told when it ends. It is ended after ${limits.defaultBackgroundTimeoutMs} ms unless timeout says otherwise (at most ${limits.maxBackgroundTimeoutMs} ms), by TaskStop, and with the session. Do not wait for it with sleep.`;
  return `Runs a command line in ${basename(shell)} and gives what it wrote.

- Each call is a process of its own. Only the working directory carries over to the next call, as long as it stays inside the project; variables, functions and aliases do not.
- Standard input is empty and there is no terminal: use the flags that make a program run unattended, such as -y, --no-edit or -m. Editors and pagers do nothing.
- A command that takes longer than ${limits.defaultTimeoutMs} ms, or timeout (at most ${limits.maxTimeoutMs} ms), goes on in the background or is ended; the result says which. What a command has started ends with it, unless it left the session (setsid).${background}
- Quote paths that have blanks. To write to standard error use >&2, not > /dev/stderr.
- An output above ${limits.maxOutputChars} characters is stored in a file and you get its beginning and its end.`;
}

async function runInForeground(input: Input, limits: Limits, context: ToolContext): Promise<ToolResult> {
  const { command, timeout, description } = input;
  const { tasks, cwd, signal } = context;
  const id = tasks.newId();
  const timeoutMs = Math.min(timeout ?? limits.defaultTimeoutMs, limits.maxTimeoutMs);
  const mayGoOn = !limits.noBackground && tasks.hasRoom() && mayMoveToBackground(command);
  const result = await context.shell.run({
    ...{ command, cwd, timeoutMs, signal },
    startup: "rc",
    output: "plain",
    outputName: id,
    maxOutputBytes: MAX_HELD_BYTES,
    ...(mayGoOn ? { background: { timeoutMs: limits.defaultBackgroundTimeoutMs } } : {}),
  });
  if (result.failure !== undefined) return notStarted(result.failure, context);
  if (result.job !== undefined) {
    const task = followJob(result.job, { id, type: "local_bash", command, description }, context);
    return movedToBackground(task, timeoutMs, result.notice);
  }
  await noteShownFile(command, result, limits.maxOutputChars, context);
  const notes = [
    ...(await followCwd(command, result, limits, context)),
    ...(result.timedOut ? [timeoutNote(timeoutMs)] : []),
    ...(result.notice === undefined ? [] : [result.notice]),
  ];
  return bashResult(command, result, notes, limits.maxOutputChars, context);
}

async function runInBackground(input: Input, limits: Limits, context: ToolContext): Promise<ToolResult> {
  const { command, timeout, description } = input;
  const { tasks, cwd } = context;
  if (!tasks.hasRoom()) {
    return refusal(
      `${MAX_RUNNING_TASKS} tasks run in the background already: stop one with TaskStop, or wait for one to end.`,
    );
  }
  const id = tasks.newId();
  const job = await context.shell.start({
    ...{ command, cwd },
    timeoutMs: Math.min(timeout ?? limits.defaultBackgroundTimeoutMs, limits.maxBackgroundTimeoutMs),
    startup: "rc",
    output: "plain",
    outputName: id,
    maxOutputBytes: HELD_JOB_BYTES,
  });
  if ("failure" in job) return notStarted(job.failure, context);
  const task = followJob(job, { id, type: "local_bash", command, description }, context);
  return {
    content: `Command running in background with ID: ${id}. Output is being written to: ${task.outputFile}. You are told when it ends.`,
    structured: backgroundFields(task),
  };
}

function movedToBackground(task: Task, timeoutMs: number, notice = ""): ToolResult {
  const moved = `Command did not complete within its ${timeoutMs / 1000}s timeout and was moved to the background with ID: ${task.id}.`;
  return {
    content:
      `${moved} Output is being written to: ${task.outputFile}. You are told when it ends; TaskStop ends it now.\n${notice}`.trimEnd(),
    structured: { ...backgroundFields(task), timedOutAfterMs: timeoutMs },
  };
}

const backgroundFields = ({ id, outputFile }: Task) => ({
  stdout: "",
  stderr: "",
  interrupted: false,
  backgroundTaskId: id,
  persistedOutputPath: outputFile,
});

const timeoutNote = (timeoutMs: number) =>
  `The command did not end within ${timeoutMs / 1000} s and was ended with everything it had started. ` +
  "If it needs longer, set timeout (milliseconds); if it waits for something, give it what it waits for; if it never ends, run a part that does.";

async function notStarted(reason: string, context: ToolContext): Promise<ToolResult> {
  const [start] = context.roots;
  const isCwdGone = (await context.files.stat(context.cwd)) === undefined;
  if (!isCwdGone || start === undefined || start === context.cwd) return errorResult(reason);
  context.setCwd(start);
  return errorResult(`${reason}\nShell cwd was reset to ${start}`);
}

/** Moves the session to where the command went, as long as that is inside the project. */
async function followCwd(
  command: string,
  result: ShellResult,
  { keepsStartCwd }: Limits,
  context: ToolContext,
): Promise<string[]> {
  const { finalCwd } = result;
  const [start] = context.roots;
  if (keepsStartCwd && start !== undefined) {
    context.setCwd(start);
    return finalCwd === undefined || finalCwd === start ? [] : [`Shell cwd was reset to ${start}`];
  }
  if (!hasEnded(result) || finalCwd === context.cwd) return [];
  if (finalCwd === undefined && isHarmless(command)) return []; // it was not asked: it can neither move nor remove anything
  if (finalCwd !== undefined && context.roots.some((root) => isInside(finalCwd, root))) {
    context.setCwd(finalCwd);
    return [];
  }
  if (start !== undefined && !(await context.files.stat(context.cwd))?.isDirectory) {
    context.setCwd(start);
    return [`Shell cwd was reset to ${start}`];
  }
  const stayed = finalCwd === undefined || (await context.files.realPath(context.cwd)) === finalCwd;
  return stayed ? [] : [`Shell cwd was reset to ${context.cwd}`];
}
