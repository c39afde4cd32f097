import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SdkMessage } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place } from "./engine-harness.ts";

const notebook = `${JSON.stringify(
  {
    cells: [{ cell_type: "code", id: "one", metadata: {}, execution_count: 1, outputs: [], source: ["1 + 1"] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
)}\n`;

/** The tool results of a turn as the model gets them. */
const results = (frames: readonly SdkMessage[]): string[] =>
  frames.flatMap((frame) =>
    frame.type === "user" && Array.isArray(frame.message.content)
      ? frame.message.content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : []))
      : [],
  );

test("a patch and a notebook are changed in one session, each told and with its diff", async () => {
  await using at = await place({ "a.txt": "one\r\ntwo\r\n", "gone.txt": "x\n", "n.ipynb": notebook });
  const patch = [
    ...["*** Begin Patch", "*** Update File: a.txt", " one", "-two", "+2", "+3"],
    ...["*** Add File: new/b.txt", "+b", "*** Delete File: gone.txt", "*** End Patch"],
  ].join("\n");
  const path = join(at.project.root, "n.ipynb");
  const model = scriptedModel([
    [uses("ApplyPatch", { patch })],
    [uses("Read", { file_path: path })],
    [uses("NotebookEdit", { notebook_path: path, cell_id: "one", new_source: "2 + 2" })],
    says("Done."),
  ]);

  const { frames, result, violations } = await oneTurn({ ...at.options, model, permissionMode: "acceptEdits" });

  expect([result.result, violations]).toEqual(["Done.", []]);
  expect(await readFile(join(at.project.root, "a.txt"), "utf8")).toBe("one\r\n2\r\n3\r\n");
  expect((await readdir(at.project.root)).sort()).toEqual(["a.txt", "n.ipynb", "new"]);
  expect(JSON.parse(await readFile(path, "utf8")).cells[0].source).toEqual(["2 + 2"]);
  expect(results(frames)[0]).toContain("The patch has been applied:");
  expect(results(frames)[2]).toContain("Updated cell one with 2 + 2");
});

test("in default mode a patch is asked about, and a rule that denies one of its files denies all of it", async () => {
  await using at = await place({ "a.txt": "one\n", "b.txt": "b\n" });
  const patch = "*** Begin Patch\n*** Update File: a.txt\n-one\n+1\n*** Delete File: b.txt\n*** End Patch";
  const asked: string[] = [];
  const model = scriptedModel([[uses("ApplyPatch", { patch })], says("No.")]);

  const { frames } = await oneTurn({
    ...at.options,
    model,
    disallowedTools: ["Edit(b.txt)"],
    canUseTool: async (tool) => {
      asked.push(tool);
      return { behavior: "allow" };
    },
  });

  expect(asked).toEqual([]);
  expect(results(frames)[0]).toContain("Permission to use ApplyPatch has been denied");
  expect(await readFile(join(at.project.root, "a.txt"), "utf8")).toBe("one\n");
});

test("a folder that becomes a link while the question is open is not written through", async () => {
  await using at = await place({ "sub/a.txt": "one\n" });
  await using elsewhere = await place({ "a.txt": "theirs\n" });
  const { root } = at.project;
  const model = scriptedModel([[uses("Write", { file_path: join(root, "sub/new.txt"), content: "x" })], says("Hm.")]);

  const { frames } = await oneTurn({
    ...at.options,
    model,
    canUseTool: async () => {
      await rename(join(root, "sub"), join(root, "was-sub"));
      await symlink(elsewhere.project.root, join(root, "sub"));
      return { behavior: "allow" };
    },
  });

  expect(results(frames)[0]).toContain("changed between the check and the access");
  expect(await readdir(elsewhere.project.root)).toEqual(["a.txt"]);
});

test("a file in another encoding is read, edited and kept in it", async () => {
  await using at = await place();
  const path = join(at.project.root, "gbk.c");
  // 中文注释 in GBK.
  const comment = Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0xd7, 0xa2, 0xca, 0xcd]);
  await mkdir(at.project.root, { recursive: true });
  await writeFile(path, Buffer.concat([Buffer.from("// "), comment, Buffer.from("\r\nint x = 1;\r\n")]));
  const edit = (newString: string) => [uses("Edit", { file_path: path, old_string: "x = 1", new_string: newString })];
  const model = scriptedModel([
    [uses("Read", { file_path: path })],
    edit("x = 2; // 注释"),
    edit("y"),
    [uses("Edit", { file_path: path, old_string: "x = 2", new_string: "x = '😀'" })],
    says("Done."),
  ]);

  const { frames } = await oneTurn({ ...at.options, model, permissionMode: "acceptEdits" });

  const [shown, edited, missed, refused] = results(frames);
  expect(shown).toContain("中文注释");
  expect(edited).toContain("has been updated successfully");
  expect(missed).toContain("String to replace not found in file.");
  expect(refused).toContain("is a file in gbk, which has no bytes for");
  const after = Buffer.concat([
    Buffer.from("// "),
    comment,
    Buffer.from("\r\nint x = 2; // "),
    comment.subarray(4),
    Buffer.from(";\r\n"),
  ]);
  expect(await readFile(path)).toEqual(after);
});

test.each([
  ["cat a.txt", true, true],
  ["cat -n a.txt", true, false],
  ["sed -n '1,1p' a.txt", true, false],
  ["grep one a.txt", true, false],
  ["cat a.txt | head -1", false, false],
  ["cat gone.txt a.txt", false, false],
])("after the command %s the file may be edited: %s; written anew: %s", async (command, mayEdit, mayWrite) => {
  await using at = await place({ "a.txt": "one\ntwo\n" });
  const file_path = at.project.path("a.txt");
  const model = scriptedModel([
    [uses("Bash", { command })],
    [uses("Write", { file_path, content: "one\nnew\n" })],
    [uses("Edit", { file_path, old_string: "one", new_string: "1" })],
    says("Done."),
  ]);

  await oneTurn({ ...at.options, model, permissionMode: "bypassPermissions" });

  const expected = [mayEdit || mayWrite ? "1" : "one", mayWrite ? "new" : "two", ""].join("\n");
  expect(await readFile(file_path, "utf8")).toBe(expected);
});
