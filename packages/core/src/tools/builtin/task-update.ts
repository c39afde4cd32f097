import { defineTool } from "../define-tool.ts";
import type { ToolResult } from "../tool.ts";
import { changeTask, type TaskChange, withoutTask } from "./change-task.ts";
import { taskStatuses } from "./task-list.ts";

const ids = (description: string) => ({ type: "array", description, items: { type: "string" } }) as const;

export const taskUpdateTool = defineTool({
  name: "TaskUpdate",
  description: `Changes a task of the session's list.

- Set a task to in_progress before you begin it, one at a time, and to completed as soon as it is done; "deleted" takes it away.
- A task that failed or is half done is not completed: leave it in_progress and add what is in the way as a task.`,
  inputSchema: {
    type: "object",
    properties: {
      taskId: { type: "string", description: 'The id, such as "3".' },
      subject: { type: "string" },
      description: { type: "string" },
      activeForm: { type: "string" },
      status: { type: "string", enum: [...taskStatuses, "deleted"] },
      addBlocks: ids("Tasks that wait for this one."),
      addBlockedBy: ids("Tasks that this one waits for."),
      owner: { type: "string", description: "Who does it." },
      metadata: { type: "object", description: "Laid over what is kept; null takes a key away." },
    },
    required: ["taskId"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing but the list of this session.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  run({ taskId, status, ...rest }, { taskList }) {
    return taskList.change((list) => {
      const from = list.tasks.find(({ id }) => id === taskId)?.status;
      const change: TaskChange = { ...rest, ...(status === undefined || status === "deleted" ? {} : { status }) };
      const changed = status === "deleted" ? withoutTask(list, taskId) : changeTask(list, taskId, change);
      if ("error" in changed) return { list: undefined, result: refused(taskId, changed.error) };
      const { updatedFields } = changed;
      const statusChange = status === undefined || from === status ? {} : { statusChange: { from, to: status } };
      const what = updatedFields.length === 0 ? ": nothing was different" : ` ${updatedFields.join(", ")}`;
      const structured = { success: true, taskId, updatedFields, ...statusChange };
      return { list: changed.list, result: { content: `Updated task #${taskId}${what}`, structured } };
    });
  },
});

const refused = (taskId: string, error: string): ToolResult => ({
  content: `${error}. TaskList gives the tasks there are.`,
  isError: true,
  structured: { success: false, taskId, updatedFields: [], error },
});
