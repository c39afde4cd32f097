import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempWorkspace } from "./temp-workspace.ts";

test("the folder holds the given files, and takes and gives others", async () => {
  const workspace = await tempWorkspace({ "src/a.js": "one" });
  onTestFinished(workspace.remove);
  await workspace.write("src/deep/b.js", "two\n");

  expect([await workspace.read("src/a.js"), await workspace.read("src/deep/b.js")]).toEqual(["one", "two\n"]);
  expect(isAbsolute(workspace.root)).toBe(true);
  expect(workspace.path("src/a.js")).toBe(join(workspace.root, "src", "a.js"));
});

test("the folder is gone after its removal, which may be asked for twice", async () => {
  const workspace = await tempWorkspace({ a: "one" });
  await workspace.remove();
  await workspace.remove();

  await expect(stat(workspace.root)).rejects.toMatchObject({ code: "ENOENT" });
});

test("nothing is read or written outside the folder", async () => {
  const workspace = await tempWorkspace();
  onTestFinished(workspace.remove);

  expect(() => workspace.path("../elsewhere")).toThrow(/lies outside the temporary folder/);
  await expect(workspace.write("/tmp/elsewhere", "x")).rejects.toMatchObject({ code: "bad_option" });
});
