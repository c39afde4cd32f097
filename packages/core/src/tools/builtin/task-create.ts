import { defineTool } from "../define-tool.ts";
import { refusal } from "./error-result.ts";
import { MAX_TASKS, type Task } from "./task-list.ts";

export const taskCreateTool = defineTool({
  name: "TaskCreate",
  description: `Adds a task to the session's list; the user sees the list.

- Use it for work of three steps or more, or when the user gives several tasks. Not for a single simple step or a question.
- A new task is pending. Set it to in_progress with TaskUpdate before you begin it, and to completed when it is done.`,
  inputSchema: {
    type: "object",
    properties: {
      subject: { type: "string", description: 'What is to be done, short, such as "Run the tests".' },
      description: { type: "string", description: "What it takes, and when it counts as done." },
      activeForm: { type: "string", description: 'How it is shown while it is done, such as "Running the tests".' },
      metadata: { type: "object", description: "Anything to keep with it." },
    },
    required: ["subject", "description"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing but the list of this session.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ subject, description, activeForm, metadata }, { taskList }) {
    if (subject.trim() === "") return refusal("The subject is blank: say what is to be done.");
    return taskList.change((list) => {
      if (list.tasks.length >= MAX_TASKS) return { list: undefined, result: refusal(FULL) };
      const id = String(list.nextId);
      const task: Task = {
        ...{ id, subject, description, status: "pending", blocks: [], blockedBy: [] },
        ...(activeForm === undefined ? {} : { activeForm }),
        ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
      };
      return {
        list: { nextId: list.nextId + 1, tasks: [...list.tasks, task] },
        result: { content: `Task #${id} created successfully: ${subject}`, structured: { task: { id, subject } } },
      };
    });
  },
});

const FULL = `The list has ${MAX_TASKS} tasks, the most there may be: delete some first.`;
