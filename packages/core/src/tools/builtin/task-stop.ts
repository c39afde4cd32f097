import { defineTool } from "../define-tool.ts";
import { refusal } from "./error-result.ts";
import { noSuchTask } from "./task-output.ts";

/** Ends a background task with all that it has started. */
export const taskStopTool = defineTool({
  name: "TaskStop",
  aliases: ["KillShell", "KillBash"],
  description:
    "Ends a background task, such as a command that was started with run_in_background, with all that it has started.",
  inputSchema: {
    type: "object",
    properties: {
      task_id: { type: "string", description: "The id of the task." },
      shell_id: { type: "string", description: "Deprecated: use task_id." },
    },
    required: [],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It ends only what this session has started.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ task_id, shell_id }, { tasks }) {
    const id = task_id ?? shell_id;
    if (id === undefined) return refusal("Give the task_id of a background task.");
    const before = tasks.get(id)?.status;
    const task = await tasks.stop(id);
    if (task === undefined) return noSuchTask(id, tasks.list());
    const message =
      before === "running"
        ? `Successfully stopped task: ${id} (${task.description})`
        : `Task ${id} is not running: it has ended (${task.status}).`;
    return {
      content: message,
      ...(before === "running" ? {} : { isError: true }),
      structured: {
        message,
        task_id: id,
        task_type: task.type,
        ...(task.command === undefined ? {} : { command: task.command }),
      },
    };
  },
});
