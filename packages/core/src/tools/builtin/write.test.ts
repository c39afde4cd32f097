import { chmod, mkdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { createReadTool } from "./read.ts";
import { writeTool } from "./write.ts";

const readTool = createReadTool();

let context: TestContext;
const at = (name: string) => join(context.cwd, name);
const read = (name: string, more: object = {}) => readTool.run({ file_path: at(name), ...more }, context);
const write = (name: string, content: string) => writeTool.run({ file_path: at(name), content }, context);
const refused = (text: string) => ({
  content: `<tool_use_error>${text}</tool_use_error>`,
  isError: true,
  structured: `Error: ${text}`,
});

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

test("a new file is made with its parents, without a read", async () => {
  expect(await write("a/b/new.txt", "one\n")).toEqual({
    content: `File created successfully at: ${at("a/b/new.txt")}`,
    structured: {
      type: "create",
      filePath: at("a/b/new.txt"),
      content: "one\n",
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    },
  });
  expect(await readFile(at("a/b/new.txt"), "utf8")).toBe("one\n");
});

test("a file that was read as a whole is replaced, its mode and byte order mark kept", async () => {
  await writeFile(at("a.sh"), "\uFEFFone\ntwo\n");
  await chmod(at("a.sh"), 0o755);
  await read("a.sh");

  expect(await write("a.sh", "one\n2\n")).toEqual({
    content: `The file ${at("a.sh")} has been updated successfully.`,
    structured: {
      type: "update",
      filePath: at("a.sh"),
      content: "one\n2\n",
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" one", "-two", "+2"] }],
      originalFile: "one\ntwo\n",
      userModified: false,
    },
  });
  expect(await readFile(at("a.sh"), "utf8")).toBe("\uFEFFone\n2\n");
  expect((await stat(at("a.sh"))).mode & 0o777).toBe(0o755);
});

test("a file that was not read, or only in part, is not replaced", async () => {
  await writeFile(at("a.txt"), "one\ntwo");

  expect(await write("a.txt", "x")).toEqual(refused("File has not been read yet. Read it first before writing to it."));
  await read("a.txt", { offset: 1, limit: 1 });
  expect(await write("a.txt", "x")).toEqual(refused("File has not been read yet. Read it first before writing to it."));
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\ntwo");
});

test("a file that changed after the read is not replaced; a touched one is", async () => {
  await writeFile(at("a.txt"), "one");
  await read("a.txt");
  await writeFile(at("a.txt"), "two");

  expect(await write("a.txt", "x")).toEqual(
    refused(
      "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.",
    ),
  );
  expect(await readFile(at("a.txt"), "utf8")).toBe("two");
  await read("a.txt");
  await utimes(at("a.txt"), 1, 1);
  expect((await write("a.txt", "x")).isError).toBeUndefined();
});

test("one's own write counts as a read", async () => {
  await write("a.txt", "one");
  await write("a.txt", "two");

  expect(await readFile(at("a.txt"), "utf8")).toBe("two");
});

test("the content is written exactly, and losing CRLF is told", async () => {
  await writeFile(at("a.bat"), "one\r\ntwo\r\n");
  await read("a.bat");

  const result = await write("a.bat", "one\n2\n");

  expect(result.content).toBe(
    `The file ${at("a.bat")} has been updated successfully. Note: its lines ended in CRLF, now they end in LF, as in the content given.`,
  );
  expect(await readFile(at("a.bat"), "utf8")).toBe("one\n2\n");
});

test("a byte order mark in the content is written once", async () => {
  await write("a.txt", "\uFEFFone");
  await write("a.txt", "\uFEFFtwo");

  expect(await readFile(at("a.txt"))).toEqual(Buffer.from("\uFEFFtwo"));
});

test("a directory and a dangling link are refused", async () => {
  await mkdir(at("sub"));
  await symlink("/nowhere/file", at("dangling"));

  expect(await write("sub", "x")).toEqual(refused(`${at("sub")} is a directory, not a file.`));
  expect((await write("dangling", "x")).content).toContain("is a link to /nowhere/file, which does not exist");
});

test("the tool changes things, runs alone, and names its path", () => {
  const input = { file_path: "a.txt", content: "" };

  expect([writeTool.isReadOnly(input), writeTool.isConcurrencySafe(input)]).toEqual([false, false]);
  expect(writeTool.touches(input)).toEqual([{ type: "write", path: "a.txt" }]);
});
