import { readFile, writeFile } from "node:fs/promises";
import { createEngine, type QueryEngine } from "@pawl/core";
import { functionModel, says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place, type Turn, turn } from "./engine-harness.ts";

type Step = (id: string) => ReturnType<typeof uses>;

/** A model that makes one call after another; each may name the id of the background task that was started last. */
function steps(...given: readonly Step[]) {
  return functionModel((request, index) => {
    const step = given[index];
    if (step === undefined) return [{ type: "text", text: "Done." }];
    const ids = [...JSON.stringify(request.messages).matchAll(/ID: (\w+)\./g)];
    const [call] = step(ids.at(-1)?.[1] ?? "").blocks as [{ tool: string; input: Record<string, unknown> }];
    return [{ type: "tool_use", id: `toolu_${index}`, name: call.tool, input: call.input } as never]; // the id is any text
  });
}

/** What each call gave: for eyes, and whether the model was told of a failure. */
const given = ({ frames }: Pick<Turn, "frames">) =>
  frames.flatMap((frame) => {
    if (frame.type !== "user" || !Array.isArray(frame.message.content)) return [];
    return frame.message.content.flatMap((block) =>
      block.type === "tool_result"
        ? [{ structured: frame.tool_use_result, text: String(block["content"]), isError: block["is_error"] === true }]
        : [],
    );
  });

async function inTurn(engine: QueryEngine): Promise<ReturnType<typeof given>> {
  try {
    return given(await turn(engine, "go"));
  } finally {
    await engine.close();
  }
}

const background = (command: string): Step => {
  return () => uses("Bash", { command, run_in_background: true });
};

test("TaskOutput says how far a background command is, without waiting, within its time, and at its end", async () => {
  await using at = await place();
  const model = steps(
    background("echo begun; while [ ! -e go ]; do sleep 0.05; done; echo done; exit 3"),
    (id) => uses("TaskOutput", { task_id: id, block: false }),
    (id) => uses("TaskOutput", { task_id: id, timeout: 50 }),
    () => uses("Write", { file_path: `${at.project.root}/go`, content: "" }),
    (id) => uses("TaskOutput", { task_id: id }),
  );
  const engine = await createEngine({ ...at.options, model, permissionMode: "bypassPermissions" });

  const [, notReady, timedOut, , ended] = await inTurn(engine);

  expect(notReady?.structured).toMatchObject({ retrieval_status: "not_ready", task: { status: "running" } });
  expect(timedOut?.structured).toMatchObject({ retrieval_status: "timeout", task: { status: "running" } });
  expect(ended?.structured).toMatchObject({
    retrieval_status: "success",
    task: { status: "failed", exitCode: 3, output: "begun\ndone\n", task_type: "local_bash" },
  });
  expect(ended?.text).toContain("<output>\nbegun\ndone\n</output>");
});

test("TaskStop ends a background command with all that it has started, and says so when it has ended already", async () => {
  await using at = await place();
  const model = steps(
    background("sleep 600 & echo $! > child; wait"),
    () => uses("Bash", { command: "until [ -s child ]; do sleep 0.05; done; cat child" }),
    (id) => uses("TaskStop", { task_id: id }),
    () => uses("Bash", { command: "ps -o stat= -p $(cat child) | grep -v Z || echo gone" }),
    (id) => uses("TaskStop", { task_id: id }),
  );
  const engine = await createEngine({ ...at.options, model, permissionMode: "bypassPermissions" });

  const [, , stopped, looked, again] = await inTurn(engine);

  expect(stopped).toMatchObject({ isError: false, structured: { task_type: "local_bash" } });
  expect(stopped?.text).toMatch(/^Successfully stopped task: /);
  expect(looked?.text).toBe("gone");
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^Task \w+ is not running: it has ended/) });
});

test("TaskStop ends a watch, which tells nothing any more", async () => {
  await using at = await place();
  const model = steps(
    () => uses("Monitor", { description: "Ticks", command: "echo tick; sleep 600", timeout_ms: 60_000 }),
    (id) => uses("TaskStop", { task_id: id }),
    (id) => uses("TaskOutput", { task_id: id }),
  );
  const engine = await createEngine({ ...at.options, model, permissionMode: "bypassPermissions" });

  const [watching, stopped, ended] = await inTurn(engine);

  expect(watching?.text).toMatch(/^Monitor running with ID: \w+\./);
  expect(stopped).toMatchObject({ isError: false, structured: { task_type: "monitor" } });
  expect(ended?.structured).toMatchObject({ retrieval_status: "success", task: { task_type: "monitor" } });
  expect(ended?.structured).not.toMatchObject({ task: { status: "running" } });
});

test("Monitor is asked about as Bash is, and runs nothing when nobody allows it", async () => {
  await using at = await place();
  const model = steps(
    () => uses("Monitor", { description: "Ticks", command: "touch made", timeout_ms: 60_000 }),
    () => uses("Glob", { pattern: "made" }),
  );

  const turned = await oneTurn({ ...at.options, model });

  const [watching, found] = given(turned);
  expect(turned.result.permission_denials).toMatchObject([{ tool_name: "Monitor" }]);
  expect(watching?.isError).toBe(true);
  expect(found?.text).toBe("No files found");
});

const cell = (id: string, source: string) => ({
  ...{ cell_type: "code", id, metadata: {}, execution_count: 1, outputs: [{ output_type: "stream", text: ["1\n"] }] },
  source: [source],
});
const notebook = JSON.stringify(
  { cells: [cell("one", "x = 1"), cell("two", "x")], metadata: {}, nbformat: 4, nbformat_minor: 5 },
  null,
  1,
);

test("NotebookEdit needs a read, then inserts, replaces and deletes cells one after another", async () => {
  await using at = await place({ "n.ipynb": notebook });
  const path = `${at.project.root}/n.ipynb`;
  const edit = (more: object) => uses("NotebookEdit", { notebook_path: path, new_source: "", ...more });
  const model = scriptedModel([
    edit({ cell_id: "one", new_source: "x = 2" }),
    uses("Read", { file_path: path }),
    edit({ cell_id: "one", edit_mode: "insert", cell_type: "markdown", new_source: "# Two" }),
    edit({ cell_id: "one", new_source: "x = 2" }),
    edit({ cell_id: "two", edit_mode: "delete" }),
    edit({ cell_id: "two", new_source: "y" }),
    says("Done."),
  ]);

  const [unread, , ...edited] = given(await oneTurn({ ...at.options, model, permissionMode: "acceptEdits" }));

  expect(unread?.text).toBe(
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
  );
  expect(edited.map(({ isError }) => isError)).toEqual([false, false, false, true]);
  expect(edited.at(-1)?.text).toContain('Cell with ID "two" not found in notebook.');
  expect(edited[1]?.structured).toMatchObject({ cell_id: "one", edit_mode: "replace", language: "python" });
  const { cells } = JSON.parse(await readFile(path, "utf8"));
  expect(cells).toMatchObject([
    { cell_type: "code", id: "one", source: ["x = 2"], outputs: [] },
    { cell_type: "markdown", source: ["# Two"] },
  ]);
  expect(cells).toHaveLength(2);
});

test("NotebookEdit refuses a notebook that has changed since it was read, and leaves it as it is", async () => {
  await using at = await place({ "n.ipynb": notebook });
  const path = `${at.project.root}/n.ipynb`;
  const edit = uses("NotebookEdit", { notebook_path: path, cell_id: "one", new_source: "x = 2" });
  const changed = notebook.replace("x = 1", "x = 3");
  const model = scriptedModel([uses("Read", { file_path: path }), says("Read."), edit, says("Done.")]);
  const engine = await createEngine({ ...at.options, model, permissionMode: "acceptEdits" });
  await turn(engine, "read it");
  await writeFile(path, changed);

  const [refused] = await inTurn(engine);

  expect(refused?.text).toMatch(/^<tool_use_error>File has been modified since read/);
  expect(await readFile(path, "utf8")).toBe(changed);
});

test("TodoWrite replaces the list, which a resumed session has still", async () => {
  await using at = await place();
  const todo = (content: string, status: string) => ({ content, status, activeForm: `${content}ing` });
  const write = (...todos: object[]) => uses("TodoWrite", { todos });
  const first = scriptedModel([
    write(todo("Test", "in_progress"), todo("Build", "pending")),
    write(todo("Test", "completed"), todo("Build", "in_progress")),
    says("Half."),
  ]);
  const [one, two] = given(await oneTurn({ ...at.options, model: first }));
  expect(one?.structured).toEqual({
    oldTodos: [],
    newTodos: [todo("Test", "in_progress"), todo("Build", "pending")],
  });
  expect(two?.structured).toMatchObject({ oldTodos: [{ content: "Test", status: "in_progress" }, {}] });
  expect(two?.text).toMatch(/^Todos have been modified successfully\./);

  const second = scriptedModel([write(), says("Done.")]);
  const [last] = given(await oneTurn({ ...at.options, model: second, continueSession: true }));
  expect(last?.structured).toEqual({
    oldTodos: [todo("Test", "completed"), todo("Build", "in_progress")],
    newTodos: [],
  });
});
