import { defineTool } from "../define-tool.ts";
import { type Task, type TaskList, taskLine } from "./task-list.ts";

export const taskGetTool = defineTool({
  name: "TaskGet",
  description: "Gives one task of the session's list with its description and what it waits for.",
  inputSchema: {
    type: "object",
    properties: { taskId: { type: "string", description: 'The id, such as "3".' } },
    required: ["taskId"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run({ taskId }, { taskList }) {
    const list = await taskList.read();
    const task = list.tasks.find(({ id }) => id === taskId) ?? null;
    const content = task === null ? `Task not found: #${taskId}. TaskList gives those there are.` : details(task, list);
    return { content, structured: { task } };
  },
});

function details(task: Task, list: TaskList): string {
  const { description, blocks, metadata } = task;
  return [
    taskLine(task, list),
    `Description: ${description}`,
    ...(blocks.length === 0 ? [] : [`Blocks: ${blocks.map((id) => `#${id}`).join(", ")}`]),
    ...(metadata === undefined ? [] : [`Metadata: ${JSON.stringify(metadata)}`]),
  ].join("\n");
}
