import { chmod, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { editTool } from "./edit.ts";
import { createReadTool } from "./read.ts";
import { writeTool } from "./write.ts";

const readTool = createReadTool();

let context: TestContext;
const at = (name: string) => join(context.cwd, name);
const read = (name: string, more: object = {}) => readTool.run({ file_path: at(name), ...more }, context);
const edit = (name: string, oldString: string, newString: string, more: object = {}) =>
  editTool.run({ file_path: at(name), old_string: oldString, new_string: newString, ...more }, context);
const refused = (text: string) => ({
  content: `<tool_use_error>${text}</tool_use_error>`,
  isError: true,
  structured: `Error: ${text}`,
});
const modified =
  "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.";

/** Writes the file and reads it as the model would. */
async function known(name: string, content: string | Buffer) {
  await writeFile(at(name), content);
  await read(name);
}

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

test("one occurrence is replaced, and the result says what changed", async () => {
  await known("a.txt", "one\ntwo\n");
  await chmod(at("a.txt"), 0o640);

  expect(await edit("a.txt", "two", "2")).toEqual({
    content: `The file ${at("a.txt")} has been updated successfully.`,
    structured: {
      filePath: at("a.txt"),
      oldString: "two",
      newString: "2",
      originalFile: "one\ntwo\n",
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" one", "-two", "+2"] }],
      userModified: false,
      replaceAll: false,
    },
  });
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\n2\n");
  expect((await stat(at("a.txt"))).mode & 0o777).toBe(0o640);
});

test("the new text is taken literally", async () => {
  await known("a.txt", "price");

  await edit("a.txt", "price", "$& $1 $$");

  expect(await readFile(at("a.txt"), "utf8")).toBe("$& $1 $$");
});

test("every occurrence is replaced when that is asked for", async () => {
  await known("a.txt", "x = x + xy\r\n");

  const result = await edit("a.txt", "x", "z", { replace_all: true });

  expect(result.content).toContain("All occurrences were replaced.");
  expect(await readFile(at("a.txt"), "utf8")).toBe("z = z + zy\r\n");
});

test("edits follow each other without another read, also after a ranged one", async () => {
  await writeFile(at("a.txt"), "one\ntwo\nthree");
  await read("a.txt", { offset: 2, limit: 1 });

  await edit("a.txt", "two", "2");
  await edit("a.txt", "2", "zwei");

  expect(await readFile(at("a.txt"), "utf8")).toBe("one\nzwei\nthree");
  const whole = await writeTool.run({ file_path: at("a.txt"), content: "x" }, context);
  expect(whole).toEqual(refused("File has not been read yet. Read it first before writing to it."));
});

test("each refusal has its text, in the order of the checks", async () => {
  await writeFile(at("a.txt"), "one two one");

  expect(await edit("a.ipynb", "x", "x")).toEqual(
    refused("No changes to make: old_string and new_string are exactly the same."),
  );
  expect(await edit("a.ipynb", "x", "y")).toEqual(
    refused("File is a Jupyter Notebook. Use NotebookEdit to change it."),
  );
  expect(await edit("none.txt", "x", "y")).toEqual(
    refused(`File does not exist. Note: your current working directory is ${context.cwd}.`),
  );
  expect(await edit("a.txt", "none", "y")).toEqual(
    refused("File has not been read yet. Read it first before writing to it."),
  );
  await read("a.txt");
  expect(await edit("a.txt", "none", "y")).toEqual(refused("String to replace not found in file.\nString: none"));
  expect(await edit("a.txt", "one", "y")).toEqual(
    refused(
      "Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: one",
    ),
  );
  expect((await edit("a.txt", "", "y")).content).toContain("old_string is empty, but the file is not");
  expect((await edit("a.txt", "\ud83d", "y")).content).toContain("half of a character");
  expect(await readFile(at("a.txt"), "utf8")).toBe("one two one");
});

test("an empty old_string makes a missing file and fills an empty one", async () => {
  expect(await edit("sub/new.txt", "", "one\n")).toMatchObject({
    content: `File created successfully at: ${at("sub/new.txt")}`,
    structured: { filePath: at("sub/new.txt"), oldString: "", newString: "one\n", originalFile: "" },
  });
  await known("empty.txt", "");
  await edit("empty.txt", "", "two");

  expect(await readFile(at("sub/new.txt"), "utf8")).toBe("one\n");
  expect(await readFile(at("empty.txt"), "utf8")).toBe("two");
});

test("a PARTIAL view does not unlock an edit", async () => {
  await writeFile(at("long.txt"), "some words\n".repeat(20_000));
  expect((await read("long.txt")).content).toContain("PARTIAL view");

  expect(await edit("long.txt", "some", "x", { replace_all: true })).toEqual(
    refused("File has not been read yet. Read it first before writing to it."),
  );
});

test("B28: a multi-line edit of a CRLF file touches only its lines", async () => {
  await known("a.c", "int a;\r\n\tint b;\r\nint c;\r\n");

  await edit("a.c", "int a;\n\tint b;\n", "int a;\n\tint x;\n\tint y;\n");

  expect(await readFile(at("a.c"), "utf8")).toBe("int a;\r\n\tint x;\r\n\tint y;\r\nint c;\r\n");
});

test("B30: line 1 of a file with a byte order mark is edited, and the mark is kept", async () => {
  await known("v.ts", "\uFEFFconst v = 1;");

  await edit("v.ts", "const v = 1;", "const v = 2;");

  expect(await readFile(at("v.ts"))).toEqual(Buffer.from("\uFEFFconst v = 2;"));
});

test("B32: an edit of a Latin-1 file changes its own bytes and no others", async () => {
  const bytes = Buffer.from(`${"caf\xe9 ".repeat(300)}a + b\n`, "latin1");
  await known("latin1.txt", bytes);

  const result = await edit("latin1.txt", "a + b", "\xe0 - b");

  expect(result.content).toContain("has been updated successfully");
  expect(await readFile(at("latin1.txt"), "latin1")).toBe(bytes.toString("latin1").replace("a + b", "\xe0 - b"));
});

test("B32: text that the encoding of the file has no bytes for is refused with its first such character", async () => {
  const bytes = Buffer.from("caf\xe9\na + b\n", "latin1");
  await known("latin1.txt", bytes);
  const before = await stat(at("latin1.txt"), { bigint: true });

  const result = await edit("latin1.txt", "a + b", "a + 中");

  expect(result.isError).toBe(true);
  expect(result.content).toContain('is a file in iso-8859-1, which has no bytes for "中" (U+4E2D, line 2)');
  expect(await readFile(at("latin1.txt"))).toEqual(bytes);
  const after = await stat(at("latin1.txt"), { bigint: true });
  expect([after.mtimeNs, after.ino, after.mode]).toEqual([before.mtimeNs, before.ino, before.mode]);
});

test("a text that is found in two places only with other quotes is not replaced, not even everywhere", async () => {
  await known("a.md", "say “hi”\nsay ‘hi’ “hi”\n");

  const result = await edit("a.md", `"hi"`, `"ho"`, { replace_all: true });

  expect(result.content).toContain("2 places read the same but have other quotes");
  expect(await readFile(at("a.md"), "utf8")).toBe("say “hi”\nsay ‘hi’ “hi”\n");
});

test("B33: curly quotes are found by straight ones, and stay", async () => {
  await known("a.md", "It’s “fine” here.\n");

  const result = await edit("a.md", `It's "fine" here`, `It's "fine" there`);

  expect(result.content).toContain("those that the edit leaves alone stay");
  expect(await readFile(at("a.md"), "utf8")).toBe("It’s “fine” there.\n");
});

test("B35: a touched file is not a changed one", async () => {
  await known("a.txt", "one");
  await utimes(at("a.txt"), 1, 1);

  expect((await edit("a.txt", "one", "1")).content).toBe(`The file ${at("a.txt")} has been updated successfully.`);
});

test("B35: in a file that a formatter changed a unique match is edited and the change is told", async () => {
  await known("a.js", "a=1\nb=2\n");
  await writeFile(at("a.js"), "a = 1;\nb=2\n");

  const result = await edit("a.js", "b=2", "b=3");

  expect(result.content).toContain("Note: the file had changed since you read it.");
  expect(await readFile(at("a.js"), "utf8")).toBe("a = 1;\nb=3\n");
  expect(context.readState.get(at("a.js"))).toMatchObject({ isWhole: false });
});

test("B35: in a changed file without a unique match nothing is edited and the place is shown", async () => {
  await known("a.js", "let a=1\nlet b=2\n");
  await writeFile(at("a.js"), "let a=1 // new\nlet b=2\nlet b=2\n");

  expect(await edit("a.js", "let a=1\nlet b=2\n", "x")).toEqual(
    refused(`${modified}\nAround there it now reads:\n1\tlet a=1 // new\n2\tlet b=2\n3\tlet b=2\n4\t`),
  );
  expect(await edit("a.js", "gone", "x")).toEqual(refused(modified));
  expect((await edit("a.js", "let b=2", "x", { replace_all: true })).content).toContain(modified);
  expect(await readFile(at("a.js"), "utf8")).toBe("let a=1 // new\nlet b=2\nlet b=2\n");
});

test("a file that changes between the check and the write is left as it is", async () => {
  await known("a.txt", "one");
  const { files } = context;
  const racing = {
    ...context,
    files: {
      ...files,
      writeText: async (...args: Parameters<typeof files.writeText>) => {
        await writeFile(at("a.txt"), "theirs");
        return files.writeText(...args);
      },
    },
  };

  const result = await editTool.run({ file_path: at("a.txt"), old_string: "one", new_string: "1" }, racing);

  expect(result).toEqual(refused("File has been unexpectedly modified. Read it again before attempting to write it."));
  expect(await readFile(at("a.txt"), "utf8")).toBe("theirs");
});

test("strings that differ only in line endings are no change", async () => {
  await known("a.txt", "one\ntwo");

  expect((await edit("a.txt", "one\n", "one\r\n")).content).toContain("No changes to make");
});
