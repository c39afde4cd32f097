import { defineTool } from "../define-tool.ts";
import { openBlockers, taskLine } from "./task-list.ts";

export const taskListTool = defineTool({
  name: "TaskList",
  description: "Gives the session's list of tasks: id, status, subject, owner, and which tasks each waits for.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  maxResultChars: 50_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run(_input, { taskList }) {
    const list = await taskList.read();
    const tasks = list.tasks.map((task) => ({
      ...{ id: task.id, subject: task.subject, status: task.status, blockedBy: openBlockers(task, list) },
      ...(task.owner === undefined ? {} : { owner: task.owner }),
    }));
    const lines = list.tasks.map((task) => taskLine(task, list));
    return { content: lines.length === 0 ? "No tasks found" : lines.join("\n"), structured: { tasks } };
  },
});
