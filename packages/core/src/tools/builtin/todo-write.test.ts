import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { TODOS_PART, type Todo, todoWriteTool } from "./todo-write.ts";

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

const first: Todo[] = [{ content: "Run the tests", status: "in_progress", activeForm: "Running the tests" }];
const second: Todo[] = [{ content: "Run the tests", status: "completed", activeForm: "Running the tests" }];

test("the list is replaced as a whole, and the result has the old and the new one", async () => {
  const made = await todoWriteTool.run({ todos: first }, context);
  const changed = await todoWriteTool.run({ todos: second }, context);

  expect(made.content).toMatch(/^Todos have been modified successfully\./);
  expect(made.structured).toEqual({ oldTodos: [], newTodos: first });
  expect(changed.structured).toEqual({ oldTodos: first, newTodos: second });
  expect(context.state.get(TODOS_PART)).toEqual(second);
});

test("a stored list of another form counts as none", async () => {
  await context.state.set(TODOS_PART, [{ text: "old form" }]);

  expect((await todoWriteTool.run({ todos: first }, context)).structured).toEqual({ oldTodos: [], newTodos: first });
});

test("an item with a wrong status is refused by its path", () => {
  expect(todoWriteTool.parse({ todos: [{ content: "x", status: "done", activeForm: "x" }] })).toEqual({
    ok: false,
    issues: ["The parameter `todos[0].status` must be one of `pending`, `in_progress`, `completed` but is `done`"],
  });
});
