import { execFileSync } from "node:child_process";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyPatchTool } from "../../src/tools/builtin/apply-patch.ts";
import { editTool } from "../../src/tools/builtin/edit.ts";
import { notebookEditTool } from "../../src/tools/builtin/notebook-edit.ts";
import { writeTool } from "../../src/tools/builtin/write.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { type TestContext, testContext } from "../support/file-tool-context.ts";

let context: TestContext;
const at = (name: string) => join(context.cwd, name);
const edit = (path: string, old_string = "x", new_string = "y") =>
  editTool.run({ file_path: path, old_string, new_string }, context);
const write = (path: string) => writeTool.run({ file_path: path, content: "new\n" }, context);
const patch = (...lines: string[]) => {
  const parsed = applyPatchTool.parse({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
  if (!parsed.ok) throw new Error(parsed.issues.join("\n"));
  return applyPatchTool.run(parsed.input, context);
};
const refusalOf = ({ content, isError }: ToolResult) => [String(content), isError];

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

describe("what is no regular file is named for what it is by Edit and Write", () => {
  test.each([
    ["a named pipe", async () => void execFileSync("mkfifo", [at("odd")]), "a named pipe"],
    ["a link to a device", () => symlink("/dev/zero", at("odd")), "a device"],
  ])("%s", async (_what, make, says) => {
    await make();
    const text = `<tool_use_error>${at("odd")} is ${says}; only regular files are read and written.</tool_use_error>`;
    expect(refusalOf(await edit(at("odd")))).toEqual([text, true]);
    expect(refusalOf(await write(at("odd")))).toEqual([text, true]);
  });

  test("a socket", async () => {
    const server = createServer().listen(at("odd"));
    await new Promise((resolve) => server.once("listening", resolve));
    const text = `<tool_use_error>${at("odd")} is a socket; only regular files are read and written.</tool_use_error>`;
    expect(refusalOf(await edit(at("odd")))).toEqual([text, true]);
    expect(refusalOf(await write(at("odd")))).toEqual([text, true]);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe.each([
  ["decomposed letters", "re\u0301sume\u0301", "r\u00e9sum\u00e9"],
  ["a no-break space", "a\u00a0b", "a b"],
  ["typographic quotes", "it\u2019s", "it's"],
])("a name that looks the same as one with %s", (_what, onDisk, asked) => {
  test("is named in the error of what changes a file", async () => {
    await writeFile(at(`${onDisk}.txt`), "x\n");
    await writeFile(at(`${onDisk}.ipynb`), "{}");
    const meant = (ending: string) => `Did you mean ${at(`${onDisk}${ending}`)}?`;
    const path = `${asked}.txt`;

    expect((await edit(at(path))).content).toContain(meant(".txt"));
    const cell = { notebook_path: at(`${asked}.ipynb`), new_source: "x", cell_id: "one" };
    expect((await notebookEditTool.run(cell, context)).content).toContain(meant(".ipynb"));
    expect((await patch(`*** Update File: ${path}`, "-x", "+y")).content).toContain(meant(".txt"));
    expect((await patch(`*** Delete File: ${path}`)).content).toContain(meant(".txt"));
  });

  test("makes no second file, nor a second folder, that cannot be told from the first", async () => {
    await writeFile(at(`${onDisk}.txt`), "x\n");
    await context.files.writeText(at(`${onDisk}/in.txt`), { text: "x\n", hasBom: false });
    const before = (await readdir(context.cwd)).sort();
    const path = `${asked}.txt`;

    const results = [
      await write(at(path)),
      await edit(at(path), "", "x\n"),
      await patch(`*** Add File: ${path}`, "+x"),
      await patch(`*** Update File: ${onDisk}/in.txt`, `*** Move to: ${path}`, "-x", "+y"),
    ];
    for (const { content, isError } of results) {
      expect([content, isError]).toEqual([expect.stringContaining(`There is ${at(`${onDisk}.txt`)} already`), true]);
    }
    const { content } = await write(at(`${asked}/deep/new.txt`));
    expect(content).toContain(`There is ${at(onDisk)} already, whose name looks the same as ${at(asked)}`);
    expect((await readdir(context.cwd)).sort()).toEqual(before);
  });
});

test("a look-alike that the rules keep from being read is not betrayed", async () => {
  await writeFile(at("it\u2019s.txt"), "x\n");
  const readAccess = { decide: async () => "deny" as const, below: async () => () => "open" as const };
  const hidden = { ...context, readAccess };

  const edited = await editTool.run({ file_path: at("it's.txt"), old_string: "x", new_string: "y" }, hidden);
  expect(edited.content).not.toContain("\u2019");
  const written = await writeTool.run({ file_path: at("it's.txt"), content: "x" }, hidden);
  expect(written.content).toBe(`File created successfully at: ${at("it's.txt")}`);
});
