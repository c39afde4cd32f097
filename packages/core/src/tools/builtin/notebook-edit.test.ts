import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { notebookEditTool } from "./notebook-edit.ts";
import { createReadTool } from "./read.ts";

const readTool = createReadTool();

/** As Jupyter writes it, with numbers and names that a rewritten file would lose. */
const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "calc",
   "metadata": {"mine": 12345678901234567890},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["1.0\\n"]
    }
   ],
   "source": [
    "print(1.0)"
   ],
   "x_unknown": 1.0
  }
 ],
 "metadata": {
  "language_info": {"name": "julia"}
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

let context: TestContext;
const path = () => join(context.cwd, "n.ipynb");
const text = () => readFile(path(), "utf8");
const edit = (input: object) => notebookEditTool.run({ notebook_path: path(), new_source: "", ...input }, context);

async function known(content: string | Buffer) {
  await writeFile(path(), content);
  const { isError } = await readTool.run({ file_path: path() }, context);
  expect(isError).toBeUndefined();
}

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

test("a replaced code cell gets its source and loses its outputs; every other byte stays", async () => {
  await known(notebook);

  const result = await edit({ cell_id: "calc", new_source: "x = 2\nprint(x)" });

  expect(await text()).toBe(
    notebook
      .replace('"print(1.0)"', '"x = 2\\n",\n    "print(x)"')
      .replace(/"outputs": \[[^\]]*\]\n {4}\}\n {3}\]/, '"outputs": []')
      .replace('"execution_count": 3', '"execution_count": null'),
  );
  expect(JSON.parse(await text()).cells[1].outputs).toEqual([]);
  expect(result).toEqual({
    content: "Updated cell calc with x = 2\nprint(x)",
    structured: {
      new_source: "x = 2\nprint(x)",
      cell_id: "calc",
      cell_type: "code",
      language: "julia",
      edit_mode: "replace",
      notebook_path: path(),
      original_file: notebook,
      updated_file: await text(),
    },
  });
});

test("a cell is inserted after another, with an id of its own, as Jupyter would write it", async () => {
  await known(notebook);

  const result = await edit({ cell_id: "intro", edit_mode: "insert", cell_type: "code", new_source: "a\nb" });

  const inserted = `,
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "ID",
   "metadata": {},
   "outputs": [],
   "source": [
    "a\\n",
    "b"
   ]
  },
  {
   "cell_type": "code"`;
  const id = JSON.parse(await text()).cells[1].id;
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(await text()).toBe(notebook.replace(',\n  {\n   "cell_type": "code"', inserted.replace("ID", id)));
  expect(result.content).toBe(`Inserted cell ${id} with a\nb`);
});

test("without a cell id the new cell is the first", async () => {
  await known(notebook);
  await edit({ edit_mode: "insert", cell_type: "markdown", new_source: "# New" });
  const { cells } = JSON.parse(await text());
  expect(cells.map((cell: { source: string[] }) => cell.source[0])).toEqual(["# New", "# Title\n", "print(1.0)"]);
});

test("a deleted cell is gone, and the next edit needs no new read", async () => {
  await known(notebook);
  expect((await edit({ cell_id: "intro", edit_mode: "delete" })).content).toBe("Deleted cell intro");
  expect(JSON.parse(await text()).cells).toHaveLength(1);
  await edit({ cell_id: "calc", edit_mode: "delete" });
  expect(await text()).toContain('"cells": []');
  await edit({ edit_mode: "insert", cell_type: "markdown", new_source: "back" });
  expect(JSON.parse(await text()).cells).toMatchObject([{ cell_type: "markdown", metadata: {}, source: ["back"] }]);
});

test("the last of several cells is deleted with the comma before it", async () => {
  await known(notebook);
  await edit({ cell_id: "calc", edit_mode: "delete" });
  expect(JSON.parse(await text()).cells).toMatchObject([{ id: "intro" }]);
});

test("a cell of another type has the fields of that type, and its unknown ones", async () => {
  await known(notebook);
  await edit({ cell_id: "calc", cell_type: "markdown", new_source: "text" });
  const [, cell] = JSON.parse(await text()).cells;
  expect(cell).toEqual({
    cell_type: "markdown",
    id: "calc",
    metadata: { mine: 12345678901234567000 },
    source: ["text"],
    x_unknown: 1,
  });
  await edit({ cell_id: "intro", cell_type: "code", new_source: "1" });
  expect(JSON.parse(await text()).cells[0]).toMatchObject({ cell_type: "code", outputs: [], execution_count: null });
});

describe("other forms of a notebook", () => {
  test("before nbformat 4.5 cells have no ids: they are named by place, and get none", async () => {
    const old = notebook.replaceAll(/ {3}"id": "\w+",\n/g, "").replace('"nbformat_minor": 5', '"nbformat_minor": 4');
    await known(old);
    await edit({ cell_id: "cell-1", new_source: "y" });
    await edit({ cell_id: "cell-0", edit_mode: "insert", cell_type: "markdown", new_source: "between" });
    const { cells } = JSON.parse(await text());
    expect(cells.map((cell: object) => [Object.hasOwn(cell, "id"), Reflect.get(cell, "source")])).toEqual([
      [false, ["# Title\n", "café"]],
      [false, ["between"]],
      [false, ["y"]],
    ]);
  });

  test("one line without blanks stays one line", async () => {
    const line = JSON.stringify(JSON.parse(notebook));
    await known(line);
    await edit({ cell_id: "intro", new_source: "x" });
    await edit({ cell_id: "intro", edit_mode: "insert", cell_type: "markdown", new_source: "y" });
    expect((await text()).includes("\n")).toBe(false);
    expect(JSON.parse(await text()).cells).toHaveLength(3);
  });

  test("CRLF, tabs and a byte order mark are kept", async () => {
    const tabs = JSON.stringify(JSON.parse(notebook), null, "\t").replaceAll("\n", "\r\n");
    await known(`\uFEFF${tabs}\r\n`);
    await edit({ cell_id: "intro", new_source: "one\ntwo" });
    expect(await text()).toBe(
      `\uFEFF${tabs}\r\n`.replace('"# Title\\n",\r\n\t\t\t\t"café"', '"one\\n",\r\n\t\t\t\t"two"'),
    );
  });

  test("a source that is one string stays one", async () => {
    const { cells, ...rest } = JSON.parse(notebook);
    await known(JSON.stringify({ cells: [{ ...cells[0], source: "old" }], ...rest }, null, 1));
    await edit({ cell_id: "intro", new_source: "a\nb" });
    expect(JSON.parse(await text()).cells[0].source).toBe("a\nb");
  });
});

test.each([
  [
    "a cell that is not there",
    { cell_id: "none" },
    'Cell with ID "none" not found in notebook. Its cells are: intro, calc',
  ],
  ["no cell id", {}, "cell_id is needed to replace a cell."],
  ["no cell id for delete", { edit_mode: "delete" }, "cell_id is needed to delete a cell."],
  ["no type for insert", { edit_mode: "insert" }, "cell_type is needed to insert a cell: code or markdown."],
  ["insert after a cell that is not there", { edit_mode: "insert", cell_type: "code", cell_id: "x" }, '"x" not found'],
  ["the same source", { cell_id: "intro", new_source: "# Title\ncafé" }, "No changes to make"],
])("refused, the file untouched: %s", async (_, input, why) => {
  // Spelled as it would be written, so that the same source gives the same bytes.
  await known(notebook.replace("\\u00e9", "é"));
  const before = await stat(path(), { bigint: true });

  const result = await edit(input);

  expect(result.isError).toBe(true);
  expect(result.content).toContain(why);
  const after = await stat(path(), { bigint: true });
  expect([after.mtimeNs, after.ino]).toEqual([before.mtimeNs, before.ino]);
});

test("a notebook must have been read, and not have changed since", async () => {
  await writeFile(path(), notebook);
  expect((await edit({ cell_id: "intro" })).content).toContain("File has not been read yet");
  await known(notebook);
  await writeFile(path(), `${notebook}\n`);
  expect((await edit({ cell_id: "intro" })).content).toContain("File has been modified since read");
});

test.each([
  ["no JSON", "{", "it is no JSON"],
  ["nbformat 3", '{"nbformat": 3, "worksheets": []}', "its nbformat is 3"],
  ["no cells", '{"nbformat": 4}', "it has no list of cells"],
])("what is no notebook is refused: %s", async (_, content, why) => {
  await writeFile(path(), content);
  const file = await context.files.readText(path(), { signal: context.signal, maxBytes: 1_000 });
  context.readState.set(path(), { hash: file.hash, mtimeMs: file.mtimeMs, size: file.size, isWhole: true });

  expect((await edit({ cell_id: "a", new_source: "x" })).content).toContain(why);
});

test("another kind of file is for Edit", async () => {
  const result = await notebookEditTool.run({ notebook_path: join(context.cwd, "a.py"), new_source: "" }, context);
  expect(result.content).toContain("Use Edit to change it");
});
