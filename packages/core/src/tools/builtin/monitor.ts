import { PawlError } from "../../lib/error.ts";
import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool, type InputOf } from "../define-tool.ts";
import { type LineBatches, lineBatches } from "../line-batches.ts";
import { taskOutputNotice } from "../task-notice.ts";
import { MAX_RUNNING_TASKS, type Task } from "../tasks.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import type { BashOptions } from "./bash.ts";
import { checkedInput } from "./checked-input.ts";
import { errorResult, refusal } from "./error-result.ts";
import { followJob, HELD_JOB_BYTES } from "./shell-task.ts";
import { checkedSocketUrl } from "./web/checked-url.ts";
import type { FetchSettings } from "./web/fetch-settings.ts";
import type { SocketTarget } from "./web/watch-socket.ts";

const watchSocket = onFirstCall(async () => (await import("./web/watch-socket.ts")).watchSocket);

const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_TIMEOUT_MS = 1_800_000;
/** The longest that a timer of the system can be set to. */
const UNTIL_CLOSED_MS = 2 ** 31 - 1;

const inputSchema = {
  type: "object",
  properties: {
    description: { type: "string", description: "What is watched, in five to ten words." },
    timeout_ms: {
      type: "number",
      minimum: 1_000,
      default: DEFAULT_TIMEOUT_MS,
      description: `Milliseconds after which it ends. Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
    },
    persistent: { type: "boolean", description: "Watch until the session ends, whatever timeout_ms says." },
    command: { type: "string", description: "The command line that watches." },
    ws: {
      type: "object",
      properties: {
        url: { type: "string", description: "Address of a web socket." },
        protocols: { type: "array", items: { type: "string" } },
      },
      required: ["url"],
      additionalProperties: false,
      description: "A web socket to watch instead of a command: each message is told.",
    },
  },
  required: ["description"],
  additionalProperties: false,
} as const;

/** Watches something by a command that writes a line whenever something happens, or by a web socket. */
export function createMonitorTool({ noBackground = false }: BashOptions = {}, web: FetchSettings = {}) {
  const tool = defineTool({
    name: "Monitor",
    description: `Watches something while you go on: each line that a command writes to standard output is told to you as it comes.

- Write a command that stays silent until something happens, such as tail -f app.log | grep --line-buffered ERROR. Use --line-buffered and the like: what a program keeps in its buffer cannot be told.
- Lines that come close together are told together; of a flood only a part is told, and all of it is in the output file. A command that floods for long is ended.
- It ends with the command, after timeout_ms, by TaskStop, and with the session. To wait for one end use Bash with run_in_background instead.`,
    inputSchema,
    maxResultChars: 10_000,
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    touches: ({ command, ws }) => [
      ...(command === undefined ? [] : [{ type: "command", command } as const]),
      ...(ws === undefined ? [] : [{ type: "url", url: ws.url } as const]),
    ],
    run: (input, context) => watch(input, { noBackground, web }, context),
  });
  return { ...tool, parse: (input: unknown) => checkedInput(tool.parse(input), (read) => checkWatched(read, web)) };
}

type Input = InputOf<typeof inputSchema>;

/** @throws PawlError for what cannot be watched. */
function checkWatched({ command = "", ws }: Input, web: FetchSettings): void {
  if ((command.trim() !== "") === (ws !== undefined))
    throw new PawlError("tool_invalid", "Give the command that watches, or a web socket: one of them.");
  if (ws !== undefined) checkedSocketUrl(ws.url, web);
}

async function watch(
  input: Input,
  { noBackground, web }: { noBackground: boolean; web: FetchSettings },
  context: ToolContext,
): Promise<ToolResult> {
  const { description, timeout_ms = DEFAULT_TIMEOUT_MS, persistent, command, ws } = input;
  if (noBackground)
    return refusal("Background tasks are turned off (PAWL_DISABLE_BACKGROUND_TASKS), so nothing can be watched.");
  const { tasks } = context;
  if (!tasks.hasRoom()) return refusal(`${MAX_RUNNING_TASKS} tasks run already: stop one with TaskStop.`);
  const timeoutMs = persistent === true ? UNTIL_CLOSED_MS : Math.min(timeout_ms, MAX_TIMEOUT_MS);
  const watching = { id: tasks.newId(), description, timeoutMs };
  return ws === undefined ? watchCommand(command ?? "", watching, context) : watchMessages(ws, watching, web, context);
}

type Watching = { id: string; description: string; timeoutMs: number };

async function watchCommand(
  command: string,
  { id, description, timeoutMs }: Watching,
  context: ToolContext,
): Promise<ToolResult> {
  let task: Task | undefined;
  const batches = toldLines(description, () => task, context);
  const job = await context.shell.start({
    ...{ command, cwd: context.cwd },
    timeoutMs,
    startup: "rc",
    output: "plain",
    outputName: id,
    maxOutputBytes: HELD_JOB_BYTES,
    onStdout: batches.write,
  });
  if ("failure" in job) return errorResult(job.failure);
  const result = job.result.then(async (ended) => {
    batches.end();
    return ended;
  });
  task = followJob({ ...job, result }, { id, type: "monitor", command, description }, context);
  return {
    content: `Monitor running with ID: ${id}. You are told each line it writes. Output is being written to: ${task.outputFile}.`,
    structured: { taskId: id, timeoutMs, outputFile: task.outputFile },
  };
}

async function watchMessages(
  target: SocketTarget,
  { id, description, timeoutMs }: Watching,
  web: FetchSettings,
  context: ToolContext,
): Promise<ToolResult> {
  let task: Task | undefined;
  const batches = toldLines(description, () => task, context);
  const socket = await watchSocket(target, web, timeoutMs, batches.write, context.signal);
  const ended = socket.ended.then(({ what, ...end }) => {
    batches.end();
    return { ...end, summary: `Monitor "${description}" ${what}` };
  });
  const { stop, tail } = socket;
  task = context.tasks.start({ id, type: "monitor", description, toolUseId: context.toolUseId, ended, stop, tail });
  return {
    content: `Monitor running with ID: ${id}. You are told each message that comes.`,
    structured: { taskId: id, timeoutMs },
  };
}

/** Lines go to the model once the task is listed; a flood ends it. */
function toldLines(description: string, task: () => Task | undefined, { tasks, notify }: ToolContext): LineBatches {
  return lineBatches({
    give(lines, summary) {
      const known = task();
      if (known) notify(taskOutputNotice(known, `Monitor "${description}": ${summary}`, lines));
    },
    flooded() {
      const known = task();
      if (known) void tasks.stop(known.id);
    },
  });
}
