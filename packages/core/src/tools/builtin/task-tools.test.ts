import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { refusal } from "./error-result.ts";
import { taskCreateTool } from "./task-create.ts";
import { taskGetTool } from "./task-get.ts";
import { MAX_TASKS, type Task } from "./task-list.ts";
import { sharedTaskList, TASKS_PART } from "./task-list-store.ts";
import { taskListTool } from "./task-list-tool.ts";
import { taskUpdateTool } from "./task-update.ts";

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

const create = (subject: string) => taskCreateTool.run({ subject, description: `${subject}, all of it` }, context);
type Update = Parameters<typeof taskUpdateTool.run>[0];
const update = (input: Update) => taskUpdateTool.run(input, context);
const kept = async () => (await context.taskList.read()).tasks;
const list = async () => (await taskListTool.run({}, context)).content;

test("a task is created, listed and read back", async () => {
  const made = await create("Write the parser");
  expect(made).toEqual({
    content: "Task #1 created successfully: Write the parser",
    structured: { task: { id: "1", subject: "Write the parser" } },
  });
  expect(await list()).toBe("#1 [pending] Write the parser");
  const { content, structured } = await taskGetTool.run({ taskId: "1" }, context);
  expect(content).toBe("#1 [pending] Write the parser\nDescription: Write the parser, all of it");
  expect(structured).toEqual({ task: (await kept())[0] });
});

test("an update names the fields that differ and the change of status", async () => {
  await create("Write the parser");
  const updated = await update({ taskId: "1", status: "in_progress", subject: "Write the parser", owner: "ann" });
  expect(updated.structured).toEqual({
    ...{ success: true, taskId: "1", updatedFields: ["owner", "status"] },
    statusChange: { from: "pending", to: "in_progress" },
  });
  expect(await list()).toBe("#1 [in_progress] Write the parser (ann)");
});

test("metadata is laid over what is kept, and null takes a key away", async () => {
  await taskCreateTool.run({ subject: "a", description: "b", metadata: { pr: 5, tag: "x" } }, context);
  await update({ taskId: "1", metadata: { tag: null, branch: "main" } });
  expect((await kept())[0]?.metadata).toEqual({ pr: 5, branch: "main" });
});

test("an order is noted at both ends, and a task waits only for open ones", async () => {
  for (const subject of ["parser", "printer", "tests"]) await create(subject);
  await update({ taskId: "3", addBlockedBy: ["1", "2"] });
  await update({ taskId: "1", status: "completed" });

  expect(await list()).toBe("#1 [completed] parser\n#2 [pending] printer\n#3 [pending] tests (waits for #2)");
  expect((await kept()).map(({ blocks }) => blocks)).toEqual([["3"], ["3"], []]);
});

test.each<[what: string, input: Update, error: string]>([
  ["an unknown task", { taskId: "9", status: "completed" }, "Task not found: #9"],
  ["deleting an unknown task", { taskId: "9", status: "deleted" }, "Task not found: #9"],
  ["waiting for an unknown task", { taskId: "1", addBlockedBy: ["9"] }, "Task not found: #9"],
  ["waiting for itself", { taskId: "1", addBlocks: ["1"] }, "Task #1 cannot wait for itself"],
  ["a blank subject", { taskId: "1", subject: " " }, "The subject is blank"],
  ["a ring", { taskId: "1", addBlockedBy: ["3"] }, "Task #1 cannot wait for #3, which waits for #1"],
])("%s is refused and nothing is changed", async (_what, input, error) => {
  for (const subject of ["a", "b", "c"]) await create(subject);
  await update({ taskId: "2", addBlockedBy: ["1"] });
  await update({ taskId: "3", addBlockedBy: ["2"] });
  const before = context.state.get(TASKS_PART);

  const refused = await update({ subject: "changed", ...input });

  expect(refused.isError).toBe(true);
  expect(refused.structured).toEqual({ success: false, taskId: input.taskId, updatedFields: [], error });
  expect(context.state.get(TASKS_PART)).toEqual(before);
});

test("a deleted task is waited for by none, and its id is not given again", async () => {
  for (const subject of ["a", "b"]) await create(subject);
  await update({ taskId: "2", addBlockedBy: ["1"] });
  expect((await update({ taskId: "1", status: "deleted" })).structured).toEqual({
    ...{ success: true, taskId: "1", updatedFields: ["deleted"] },
    statusChange: { from: "pending", to: "deleted" },
  });
  await create("c");
  expect(await list()).toBe("#2 [pending] b\n#3 [pending] c");
});

test("an unknown task is told, not thrown", async () => {
  const { content, structured } = await taskGetTool.run({ taskId: "7" }, context);
  expect([content, structured]).toEqual(["Task not found: #7. TaskList gives those there are.", { task: null }]);
  expect(await list()).toBe("No tasks found");
});

test("a subject stands on one line, and is not blank", async () => {
  await create("Write\n#2 [completed] the parser");
  expect(await list()).toBe("#1 [pending] Write #2 [completed] the parser");
  const text = "The subject is blank: say what is to be done.";
  expect(await create(" \n")).toEqual(refusal(text));
});

test("the list has a limit", async () => {
  const task = (id: number): Task => ({
    ...{ id: String(id), subject: "s", description: "d", status: "pending", blocks: [], blockedBy: [] },
  });
  const tasks = Array.from({ length: MAX_TASKS }, (_, at) => task(at + 1));
  await context.state.set(TASKS_PART, { nextId: MAX_TASKS + 1, tasks });
  expect(await create("one more")).toMatchObject({ isError: true });
  expect(await kept()).toHaveLength(MAX_TASKS);
});

test.each([[{ nextId: "1", tasks: [] }], [{ nextId: 1, tasks: [{ id: 1 }] }], ["old"], [null]])(
  "a stored list of another form counts as none: %j",
  async (stored) => {
    await context.state.set(TASKS_PART, stored);
    expect(await list()).toBe("No tasks found");
  },
);

test("a list in a file is shared: changes made at the same time are all there, and a foreign file is left alone", async () => {
  const path = `${context.cwd}/lists/team.json`;
  const stores = [sharedTaskList(path, context.files), sharedTaskList(path, context.files)];
  const made = Array.from({ length: 20 }, (_, at) => {
    const taskList = stores[at % 2] ?? context.taskList;
    return taskCreateTool.run({ subject: `task ${at}`, description: "d" }, { ...context, taskList });
  });
  await Promise.all(made);
  const { tasks } = await sharedTaskList(path, context.files).read();
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(20);

  await context.files.writeText(path, { text: "mine\n", hasBom: false });
  const taskList = sharedTaskList(path, context.files);
  const create = taskCreateTool.run({ subject: "s", description: "d" }, { ...context, taskList });
  await expect(create).rejects.toThrow("holds no task list");
});

test("a shared list that would be too big to be read again is not written", async () => {
  const taskList = sharedTaskList(`${context.cwd}/lists/team.json`, context.files);
  const create = (description: string) => taskCreateTool.run({ subject: "s", description }, { ...context, taskList });
  await create("short");
  await expect(create("x".repeat(8 * 1024 * 1024))).rejects.toMatchObject({ code: "file_too_large" });
  expect((await taskList.read()).tasks).toHaveLength(1);
});
