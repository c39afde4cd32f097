import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { createReadTool } from "./read.ts";

const readTool = createReadTool();

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

const at = (name: string) => join(context.cwd, name);
const code = (source: string | string[], outputs: object[] = [], more: object = {}) => ({
  cell_type: "code",
  source,
  execution_count: 1,
  metadata: {},
  outputs,
  ...more,
});

async function readCells(cells: object[], more: object = {}, tool = readTool) {
  const notebook = { cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 };
  await writeFile(at("a.ipynb"), JSON.stringify(notebook));
  return tool.run({ file_path: at("a.ipynb"), ...more }, context);
}

test("cells come with their ids, and with outputs of every kind", async () => {
  const png = (
    await sharp({ create: { width: 4, height: 3, channels: 3, background: "#48c" } })
      .png()
      .toBuffer()
  ).toString("base64");
  const error = { output_type: "error", ename: "ValueError", evalue: "no", traceback: ["\u001b[31mline 1\u001b[0m"] };
  const stream = { output_type: "stream", name: "stdout", text: ["  1%\r 50%\r", "100%\n", "done\n"] };
  const plot = { output_type: "display_data", data: { "image/png": png, "text/plain": ["<Figure>"] } };

  const { content, structured } = await readCells([
    { cell_type: "markdown", id: "intro", source: ["# Title\n", "text"] },
    code("print(1)", [stream, plot], { id: "c1" }),
    code("raise", [error]),
  ]);

  expect(content).toEqual([
    {
      type: "text",
      text: [
        '<cell id="intro" type="markdown">\n# Title\ntext\n</cell>',
        '<cell id="c1" type="code" language="python">\nprint(1)\n</cell>',
        "<output>\n100%\ndone\n\n</output>",
        "<output>\n<Figure>\n</output>",
      ].join("\n"),
    },
    { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
    {
      type: "text",
      text: '<cell id="cell-2" type="code" language="python">\nraise\n</cell>\n<output>\nValueError: no\nline 1\n</output>',
    },
  ]);
  expect(structured).toMatchObject({
    type: "notebook",
    file: {
      filePath: at("a.ipynb"),
      cells: [
        { cellType: "markdown", cell_id: "intro", source: "# Title\ntext" },
        { cellType: "code", cell_id: "c1", language: "python", execution_count: 1 },
        { outputs: [{ output_type: "error", text: "ValueError: no\nline 1" }] },
      ],
    },
  });
  expect(context.readState.get(at("a.ipynb"))).toMatchObject({ isWhole: true });
});

test("a long output keeps both ends, a damaged picture leaves a remark", async () => {
  const long = { output_type: "stream", text: `first${"x".repeat(50_000)}last` };
  const broken = { output_type: "display_data", data: { "image/png": "bm90IGEgcGljdHVyZQ==" } };

  const { content } = await readCells([code("x", [long, broken])]);

  const [block] = content as { text: string }[];
  expect(block?.text).toMatch(/firstx+\n\n\[\.\.\. 40009 characters left out \.\.\.\]\n\nx+last/);
  expect(block?.text.length).toBeLessThan(11_000);
  expect(block?.text).toContain("[image left out: it is no PNG, JPEG");
});

test("offset and limit count cells; what is too long gives the first cells as a PARTIAL view that unlocks nothing", async () => {
  const cells = Array.from({ length: 10 }, (_, index) => code(`${index}`.repeat(100)));
  const small = createReadTool({ maxTokens: 100 });

  const part = await readCells(cells, { offset: 9, limit: 5 });
  expect((part.structured as { file: { cells: unknown[] } }).file.cells).toHaveLength(2);
  const partial = await readCells([...cells, code("end")], {}, small);
  expect(partial.content).toMatchObject([
    {},
    {
      text: expect.stringContaining(
        "PARTIAL view: the notebook is too long to be given at once. Shown: cells 1 to 2 of 11",
      ),
    },
  ]);
  expect((await readCells([...cells, code("end")], { offset: 1, limit: 9 }, small)).content).toContain(
    "exceeds maximum allowed tokens (100)",
  );
  expect((await readCells(cells, { offset: 20 })).content).toMatchObject([
    { text: expect.stringContaining("offset 20 is past its end") },
  ]);
  expect((await readCells([])).content).toMatchObject([{ text: expect.stringContaining("has no cells") }]);
});

test.each([
  ["no JSON", "{", "is no notebook: it is not JSON"],
  ["another JSON", "[]", "is no notebook: it has no list of cells"],
  ["an old format", '{"worksheets": []}', "is a notebook of nbformat 3"],
])("%s is a clear error", async (_name, text, says) => {
  await writeFile(at("b.ipynb"), text);

  expect(await readTool.run({ file_path: at("b.ipynb") }, context)).toMatchObject({
    isError: true,
    content: expect.stringContaining(says),
  });
});

describe("a large notebook", () => {
  const cells = Array.from({ length: 40_000 }, (_, at) =>
    code(`x = ${at}`, [], { id: `c${at}`, metadata: { note: "n".repeat(100) } }),
  );

  test("gives its first cells, or those that are asked for", async () => {
    const [first, range] = [await readCells(cells), await readCells(cells, { offset: 39_999, limit: 5 })];
    expect(JSON.stringify(first.content)).toMatch(/PARTIAL view.+Shown: cells 1 to \d+ of 40000/);
    expect(JSON.stringify(range.content)).toMatch(/c39998.+x = 39998.+c39999.+x = 39999/);
  });

  test("is given up at once", async () => {
    const reading = createReadTool();
    const aborting = new AbortController();
    await readCells(cells.slice(0, 1));
    await writeFile(at("a.ipynb"), JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const read = reading.run({ file_path: at("a.ipynb") }, { ...context, signal: aborting.signal });
    setTimeout(() => aborting.abort(), 20);
    await expect(read).rejects.toMatchObject({ code: "aborted" });
  });

  test.each([
    ["that is not JSON", `{"cells": [${" ".repeat(5_000_000)}`, /is no notebook: it is not JSON/],
    ["without cells", `{"metadata": {}${" ".repeat(5_000_000)}}`, /it has no list of cells/],
    ["of an old form", `{"worksheets": []${" ".repeat(5_000_000)}}`, /nbformat 3/],
  ])("%s is a clear error", async (_what, text, error) => {
    await writeFile(at("a.ipynb"), text);
    expect(await readTool.run({ file_path: at("a.ipynb") }, context)).toMatchObject({
      isError: true,
      content: expect.stringMatching(error),
    });
  });
});

test("of a cell with endless outputs, and of one endless output, a part is given", async () => {
  const stream = (text: string) => ({ output_type: "stream", text });
  const many = await readCells([code("x", Array(3_000).fill(stream("a")))]);
  expect(JSON.stringify(many.content)).toContain("[2000 more outputs are left out]");
  const long = await readCells([code("x", [stream(`begin\n${"\u001b[31m50%\r".repeat(300_000)}\nend`)])]);
  expect(JSON.stringify(long.content)).toMatch(/begin.+left out.+end/s);
});
