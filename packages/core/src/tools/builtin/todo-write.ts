import { defineTool, type InputOf } from "../define-tool.ts";
import { checkInput } from "../input-schema.ts";

const todosSchema = {
  type: "array",
  description: "The whole list, in order: it replaces the one before.",
  items: {
    type: "object",
    properties: {
      content: { type: "string", description: 'What is to be done, such as "Run the tests".' },
      status: { type: "string", enum: ["pending", "in_progress", "completed"] },
      activeForm: { type: "string", description: 'How it is shown while it is done, such as "Running the tests".' },
    },
    required: ["content", "status", "activeForm"],
    additionalProperties: false,
  },
} as const;

export type Todo = InputOf<typeof todosSchema>[number];

/** The part of the session's state that holds the list. */
export const TODOS_PART = "todos";

export const todoWriteTool = defineTool({
  name: "TodoWrite",
  description: `Keeps the list of what is to be done in this session; the user sees it.

- Use it for work of three steps or more, or when the user gives several tasks. Not for a single simple step or a question.
- Send the whole list each time. Set an item to in_progress before you begin it, one at a time, and to completed as soon as it is done.
- An item that failed or is half done is not completed: leave it in_progress and add what is in the way as an item.`,
  inputSchema: {
    type: "object",
    properties: { todos: todosSchema },
    required: ["todos"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing but its own list, and the same call again gives the same list.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ todos }, { state }) {
    const oldTodos = storedTodos(state.get(TODOS_PART));
    await state.set(TODOS_PART, todos);
    return {
      content: "Todos have been modified successfully. Go on with the next item, and keep the list up to date.",
      structured: { oldTodos, newTodos: todos },
    };
  },
});

/** What was stored, as it may come from a session of another version: a list that does not fit counts as none. */
export function storedTodos(stored: unknown): readonly Todo[] {
  return isTodos(stored) ? stored : [];
}

function isTodos(value: unknown): value is readonly Todo[] {
  return value !== undefined && checkInput(todosSchema, value).length === 0;
}
