import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { applyPatchTool } from "./apply-patch.ts";

let context: TestContext;
const at = (name: string) => join(context.cwd, name);
const text = (name: string) => readFile(at(name), "utf8");
const put = (name: string, content: string | Buffer) => writeFile(at(name), content);
const apply = (...lines: string[]) =>
  applyPatchTool.run({ patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") }, context);
const diff = (...lines: string[]) => applyPatchTool.run({ patch: `${lines.join("\n")}\n` }, context);

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

test("one patch changes, adds, moves and removes files", async () => {
  await put("a.ts", "one\ntwo\nthree\n");
  await put("old.ts", "gone\n");
  await put("tool.sh", "echo a\n");
  await chmod(at("tool.sh"), 0o755);

  const result = await apply(
    "*** Update File: a.ts",
    "@@",
    " one",
    "-two",
    "+2",
    " three",
    "*** Add File: sub/new.ts",
    "+first",
    "+",
    "+last",
    "*** Update File: tool.sh",
    "*** Move to: bin/tool.sh",
    "-echo a",
    "+echo b",
    "*** Delete File: old.ts",
  );

  expect(result.content).toBe(
    `The patch has been applied:\nM ${at("a.ts")}\nA ${at("sub/new.ts")}\nR ${at("tool.sh")} -> ${at("bin/tool.sh")}\nD ${at("old.ts")}`,
  );
  expect(await text("a.ts")).toBe("one\n2\nthree\n");
  expect(await text("sub/new.ts")).toBe("first\n\nlast\n");
  expect(await text("bin/tool.sh")).toBe("echo b\n");
  expect((await stat(at("bin/tool.sh"))).mode & 0o777).toBe(0o755);
  expect((await readdir(context.cwd)).sort()).toEqual(["a.ts", "bin", "sub"]);
  expect(result.structured).toMatchObject({
    files: [
      {
        type: "update",
        originalFile: "one\ntwo\nthree\n",
        structuredPatch: [{ lines: [" one", "-two", "+2", " three"] }],
      },
      { type: "add", originalFile: null },
      { type: "move", movedTo: at("bin/tool.sh") },
      { type: "delete", originalFile: "gone\n" },
    ],
  });
});

test("permission is asked for every file, also for the one that goes and for the place it moves to", () => {
  const patch = [
    "*** Begin Patch",
    "*** Add File: a",
    "+x",
    "*** Delete File: b",
    "*** Update File: c",
    "*** Move to: d",
    "*** End Patch",
  ].join("\n");
  const paths = ["a", "b", "c", "d"].map((path) => ({ type: "write", path }));

  expect(applyPatchTool.touches({ patch })).toEqual(paths);
});

describe("when something is wrong with one file no file is changed", () => {
  const change = ["*** Update File: a.txt", "-one", "+1"];
  test.each([
    [
      "old lines that are not there",
      ["*** Update File: b.txt", "-three", "+3"],
      "change 1 of 1 does not match the file",
    ],
    ["old lines that are there twice", ["*** Update File: b.txt", "-two", "+2"], "matches 2 places, at lines 1, 2"],
    ["a file that is missing", ["*** Update File: none.txt", "-x", "+y"], "none.txt does not exist"],
    ["a file to remove that is missing", ["*** Delete File: none.txt"], "none.txt does not exist"],
    ["a file to add that is there", ["*** Add File: b.txt", "+x"], "b.txt exists already"],
    ["a target that is there", ["*** Update File: b.txt", "*** Move to: c.txt"], "c.txt exists already"],
    ["a folder", ["*** Update File: sub", "-x", "+y"], "is a directory"],
    ["a link to remove", ["*** Delete File: link"], "is a link"],
    ["a notebook", ["*** Update File: n.ipynb", "-x", "+y"], "Use NotebookEdit"],
    ["a change that changes nothing", ["*** Update File: c.txt", "-see", "+see"], "leaves"],
    ["text that the file's encoding lacks", ["*** Update File: latin1.txt", "-a = b", "+a = 中"], "has no bytes for"],
    ["a path in the home folder", ["*** Add File: ~/x", "+x"], "is not expanded"],
  ])("%s", async (_, section, why) => {
    await put("a.txt", "one\n");
    await put("b.txt", "two\ntwo\n");
    await put("c.txt", "see\n");
    await put("n.ipynb", "{}");
    await put("latin1.txt", Buffer.from("caf\xe9\na = b\n", "latin1"));
    await mkdir(at("sub"));
    await symlink("c.txt", at("link"));
    const before = await stat(at("a.txt"), { bigint: true });

    const result = await apply(...change, ...section);

    expect(result.isError).toBe(true);
    expect(result.content).toContain(why);
    expect(await text("a.txt")).toBe("one\n");
    const after = await stat(at("a.txt"), { bigint: true });
    if (!/is a link/.test(why)) expect([after.mtimeNs, after.ino]).toEqual([before.mtimeNs, before.ino]);
  });
});

test("when a later file cannot be written the earlier ones are put back, byte for byte, and that is said", async () => {
  const bytes = Buffer.from("\uFEFFone\r\ntwo\nthree", "utf8");
  await put("a.txt", bytes);
  await chmod(at("a.txt"), 0o640);
  await put("gone.txt", "gone\n");
  await put("z.txt", "last\n");
  const { files } = context;
  const failing = {
    ...files,
    writeText: async (...args: Parameters<typeof files.writeText>) => {
      if (args[0].endsWith("z.txt")) await put("z.txt", "theirs\n");
      return files.writeText(...args);
    },
  };
  const patch = [
    ...["*** Begin Patch", "*** Update File: a.txt", "-two", "+2", "*** Add File: new/b.txt", "+x"],
    ...["*** Delete File: gone.txt", "*** Update File: z.txt", "-last", "+first", "*** End Patch"],
  ].join("\n");

  const result = await applyPatchTool.run({ patch }, { ...context, files: failing });

  expect(result.content).toContain("z.txt changed in the meantime");
  expect(result.content).toContain("No file was changed: what had been written before that was taken back.");
  expect(await readFile(at("a.txt"))).toEqual(bytes);
  expect((await stat(at("a.txt"))).mode & 0o777).toBe(0o640);
  expect(await text("gone.txt")).toBe("gone\n");
  expect(await text("z.txt")).toBe("theirs\n");
  expect(await readdir(at("new"))).toEqual([]);
  expect([...context.readState.entries()]).toEqual([]);
});

test("what is known of a file afterwards is no more than before", async () => {
  await put("seen.txt", "one\ntwo\n");
  await put("unseen.txt", "one\n");
  const { hash, mtimeMs, size } = await context.files.readText(at("seen.txt"), {
    signal: context.signal,
    maxBytes: 100,
  });
  context.readState.set(at("seen.txt"), { hash, mtimeMs, size, isWhole: true });

  await apply("*** Update File: seen.txt", "-one", "+1", "*** Update File: unseen.txt", "-one", "+1");

  expect(context.readState.get(at("seen.txt"))).toMatchObject({ isWhole: true });
  expect(context.readState.get(at("unseen.txt"))).toMatchObject({ isWhole: false });
});

describe("where a change goes", () => {
  const twice = "class A\n  f()\n    x\nclass B\n  f()\n    x\n";

  test("an @@ line says which of several places is meant", async () => {
    await put("a.py", twice);
    await apply("*** Update File: a.py", "@@ class B", "-    x", "+    y");
    expect(await text("a.py")).toBe("class A\n  f()\n    x\nclass B\n  f()\n    y\n");
  });

  test("several @@ lines lead from the outer to the inner one", async () => {
    await put("a.py", twice);
    await apply("*** Update File: a.py", "@@ class B", "@@   f()", "+    z", "     x");
    expect(await text("a.py")).toBe("class A\n  f()\n    x\nclass B\n  f()\n    z\n    x\n");
  });

  test("a later change is looked for after an earlier one", async () => {
    await put("a.py", twice);
    await apply("*** Update File: a.py", "@@ class A", "-    x", "+    1", "@@", "-    x", "+    2");
    expect(await text("a.py")).toBe("class A\n  f()\n    1\nclass B\n  f()\n    2\n");
  });

  test("an @@ line that the file does not have is named", async () => {
    await put("a.py", twice);
    const result = await apply("*** Update File: a.py", "@@ class C", "-    x", "+    y");
    expect(result.content).toContain('no line of the file reads "class C"');
  });

  test("End of File means the last of several places", async () => {
    await put("a.py", twice);
    await apply("*** Update File: a.py", "@@", "-    x", "+    y", "*** End of File");
    expect(await text("a.py")).toBe("class A\n  f()\n    x\nclass B\n  f()\n    y\n");
  });

  test("only new lines go to the end of the file", async () => {
    await put("a.txt", "one\n");
    await apply("*** Update File: a.txt", "@@", "+two");
    expect(await text("a.txt")).toBe("one\ntwo\n");
  });

  test("lines that differ only in blanks at their end or in quotes are found, and those that stay keep theirs", async () => {
    await put("a.md", "It’s here  \nold\n");
    await apply("*** Update File: a.md", " It's here", "-old", "+new");
    expect(await text("a.md")).toBe("It’s here  \nnew\n");
  });
});

test("old lines that repeat each other are found in a file that does so, too", async () => {
  await put("a.ts", "a\na\na\nb\na\na\na\na\nb\na\n");
  await apply("*** Update File: a.ts", " a", " a", " a", " a", "-b", "+c");
  expect(await text("a.ts")).toBe("a\na\na\nb\na\na\na\na\nc\na\n");
  const { content } = await apply("*** Update File: a.ts", " a", "-a", "+d");
  expect(content).toContain("matches 5 places, at lines 1, 2, 5, 6, 7.");
});

test("line numbers as in a unified diff are a hint in the other form, too", async () => {
  await put("a.ts", "x\ny\nx\ny\n");
  await apply("*** Update File: a.ts", "@@ -3,1 +3,1 @@ function f() {", "-x", "+z");
  expect(await text("a.ts")).toBe("x\ny\nz\ny\n");
  await apply("*** Update File: a.ts", "@@ -70,2 +70,2 @@", " x", "-y", "+q");
  expect(await text("a.ts")).toBe("x\nq\nz\ny\n");
});

test("two names of one file are refused before anything is written", async () => {
  await put("a.ts", "one\ntwo\n");
  await symlink("a.ts", at("link.ts"));
  for (const name of ["./sub/../a.ts", "link.ts"]) {
    const { content } = await apply("*** Update File: a.ts", "-one", "+1", `*** Update File: ${name}`, "-two", "+2");
    expect(content).toContain("are the same file. Put all changes of a file into one section.");
  }
  expect(await text("a.ts")).toBe("one\ntwo\n");
});

test("names that git has put in quotes are read", async () => {
  await put("\u00e9\t.ts", "one\n");
  const name = '\\303\\251\\t.ts"';
  await diff(`--- "a/${name}`, `+++ "b/${name}`, "@@ -1 +1 @@", "-one", "+two");
  expect(await text("\u00e9\t.ts")).toBe("two\n");
  await diff(`rename from "${name}`, 'rename to "\\"q\\".ts"');
  expect(await text('"q".ts')).toBe("two\n");
});

test("B29: new lines in a CRLF file end in CRLF, and every other line keeps its ending", async () => {
  await put("a.c", "one\r\ntwo\r\nthree\nfour\r\n");

  await apply("*** Update File: a.c", " two", "+2b", "-three", "+3", " four");

  expect(await text("a.c")).toBe("one\r\ntwo\r\n2b\n3\r\nfour\r\n");
});

test("B30: line 1 of a file with a byte order mark is changed, and the mark is kept", async () => {
  await put("v.ts", "\uFEFFconst v = 1;\n");

  await apply("*** Update File: v.ts", "-const v = 1;", "+const v = 2;");

  expect(await text("v.ts")).toBe("\uFEFFconst v = 2;\n");
});

test("a file without a line ending at its end keeps none", async () => {
  await put("a.txt", "one\ntwo");
  await apply("*** Update File: a.txt", " two", "+three");
  expect(await text("a.txt")).toBe("one\ntwo\nthree");
});

test("a file of very many lines is changed like any other", async () => {
  const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`);
  await put("big.txt", lines.join("\n"));
  await apply("*** Update File: big.txt", "-line 299998", "+changed");
  expect(await text("big.txt")).toBe(lines.with(299_998, "changed").join("\n"));
});

describe("a unified diff", () => {
  test("changes, adds, removes and renames files", async () => {
    await put("a.txt", "1\n2\n3\n2\n5\n");
    await put("b.txt", "b\n");
    await put("c.txt", "c\n");
    await put("d.txt", "d\n");

    const result = await diff(
      ...["diff --git a/a.txt b/a.txt", "index 1..2 100644", "--- a/a.txt", "+++ b/a.txt"],
      ...["@@ -4,2 +4,2 @@ f()", "-2", "+two", " 5"],
      ...["--- /dev/null", "+++ b/new.txt", "@@ -0,0 +1,2 @@", "+x", "+-- y"],
      ...["--- a/b.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-b"],
      ...["diff --git a/c.txt b/cc.txt", "rename from c.txt", "rename to cc.txt"],
      ...["diff --git a/d.txt b/dd.txt", "rename from d.txt", "rename to dd.txt", "--- a/d.txt", "+++ b/dd.txt"],
      ...["@@ -1 +1 @@", "-d", "+dd"],
    );

    expect(result.isError).toBeUndefined();
    expect(await text("a.txt")).toBe("1\n2\n3\ntwo\n5\n");
    expect(await text("new.txt")).toBe("x\n-- y\n");
    expect(await text("cc.txt")).toBe("c\n");
    expect(await text("dd.txt")).toBe("dd\n");
    expect((await readdir(context.cwd)).sort()).toEqual(["a.txt", "cc.txt", "dd.txt", "new.txt"]);
  });

  test("line numbers decide between places that match, and are no more than a hint", async () => {
    await put("a.txt", "x\ny\nx\ny\nz\n");
    await diff("--- a.txt", "+++ a.txt", "@@ -3 +3 @@", "-x", "+X", "@@ -9 +9 @@", "-z", "+Z");
    expect(await text("a.txt")).toBe("x\ny\nX\ny\nZ\n");
  });
});

test.each([
  ["nothing", "", "first line of a patch"],
  ["a patch that is cut off", "*** Begin Patch\n*** Add File: a\n+x", "this one is cut off"],
  ["a patch without files", "*** Begin Patch\n*** End Patch", "changes no file"],
  [
    "a section of another kind",
    "*** Begin Patch\n*** Copy File: a\n*** End Patch",
    'Line 2 of the patch is not understood: "*** Copy',
  ],
  [
    "a line without a sign",
    "*** Begin Patch\n*** Update File: a\nx\n*** End Patch",
    'Line 3 of the patch is not understood: "x"',
  ],
  [
    "a file that is named twice",
    "*** Begin Patch\n*** Delete File: a\n*** Delete File: a\n*** End Patch",
    "names a twice",
  ],
  ["a hunk of another length", "--- a\n+++ a\n@@ -1,3 +1 @@\n-x\n+y\n", "other numbers of lines than it says"],
  ["a binary diff", "Binary files a/x and b/x differ\n--- a\n+++ a\n", "Binary changes are not supported"],
])("invalid input, refused before anybody is asked: %s", (_, patch, why) => {
  const parsed = applyPatchTool.parse({ patch });
  expect(parsed).toEqual({ ok: false, issues: [expect.stringContaining(why)] });
});
