import { defineTool } from "../define-tool.ts";
import { cutText } from "../result-budget.ts";
import type { Task } from "../tasks.ts";
import type { ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";

const DEFAULT_WAIT_MS = 30_000;
const MAX_WAIT_MS = 600_000;
/** Of the output the end is given. Bytes. */
const MAX_OUTPUT_BYTES = 30_000;

/** Gives the state of a background task and the end of its output. Read on its output file does so too. */
export const taskOutputTool = defineTool({
  name: "TaskOutput",
  aliases: ["BashOutput", "AgentOutputTool"],
  description: `Deprecated: you are told when a background task ends, and Read shows its output file at any time.

Gives the state of a background task and the end of its output. With block (the default) it waits until the task has ended, at most timeout milliseconds.`,
  inputSchema: {
    type: "object",
    properties: {
      task_id: { type: "string", description: "The id that was given when the task was started." },
      block: { type: "boolean", description: "Whether to wait for the end of the task. Default true." },
      timeout: {
        type: "number",
        minimum: 0,
        maximum: MAX_WAIT_MS,
        description: `Milliseconds to wait at most. Default ${DEFAULT_WAIT_MS}.`,
      },
      bash_id: { type: "string", description: "Deprecated: use task_id." },
      agentId: { type: "string", description: "Deprecated: use task_id." },
    },
    required: [],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run({ task_id, bash_id, agentId, block = true, timeout = DEFAULT_WAIT_MS }, { tasks, signal }) {
    const id = task_id ?? bash_id ?? agentId;
    if (id === undefined) return refusal("Give the task_id of a background task.");
    const task = block ? await tasks.wait(id, timeout, signal) : tasks.get(id);
    return task === undefined ? noSuchTask(id, tasks.list()) : taskResult(task, block);
  },
});

async function taskResult(task: Task, block: boolean): Promise<ToolResult> {
  const written = (await task.tail?.(MAX_OUTPUT_BYTES)) ?? task.end?.result ?? "";
  const output = cutText(written, MAX_OUTPUT_BYTES, { head: 0, tail: MAX_OUTPUT_BYTES });
  const retrieval_status = task.status !== "running" ? "success" : block ? "timeout" : "not_ready";
  const { id, type, status, description, end } = task;
  const lines = [
    `<retrieval_status>${retrieval_status}</retrieval_status>`,
    `<task_id>${id}</task_id>`,
    `<task_type>${type}</task_type>`,
    `<status>${status}</status>`,
    ...(end?.exitCode === undefined ? [] : [`<exit_code>${end.exitCode}</exit_code>`]),
    ...(task.outputFile === undefined ? [] : [`<output_file>${task.outputFile}</output_file>`]),
    ...(output === "" ? [] : [`<output>\n${output.trimEnd()}\n</output>`]),
  ];
  return {
    content: lines.join("\n"),
    structured: {
      retrieval_status,
      task: {
        task_id: id,
        task_type: type,
        status,
        description,
        output,
        ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
      },
    },
  };
}

/** What the model gets for an id that is none. */
export function noSuchTask(id: string, tasks: readonly Task[]): ToolResult {
  const running = tasks.filter(({ status }) => status === "running").map((task) => `${task.id} (${task.description})`);
  const known = running.length === 0 ? "No task runs." : `These run: ${running.join(", ")}.`;
  return refusal(`No task found with ID: ${id}. ${known}`);
}
