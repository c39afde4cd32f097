import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { findName, similarPaths } from "./find-name.ts";
import { localFiles } from "./local-files.ts";

const files = localFiles();
let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await tempWorkspace();
});
afterEach(() => workspace.remove());

const looked = async (name: string) => (await findName(workspace.path(name), files))?.slice(workspace.root.length + 1);
const similar = async (name: string) =>
  (await similarPaths(workspace.path(name), files)).map((path) => path.slice(workspace.root.length + 1));

test.each([
  ["decomposed letters", "re\u0301sume\u0301.txt", "r\u00e9sum\u00e9.txt"],
  ["composed letters", "r\u00e9sum\u00e9.txt", "re\u0301sume\u0301.txt"],
  ["a narrow no-break space, as in names of screenshots", "Shot 9.41\u202fAM.png", "Shot 9.41 AM.png"],
  ["a no-break space", "a\u00a0b.txt", "a b.txt"],
  ["a typographic apostrophe", "it\u2019s.txt", "it's.txt"],
  ["typographic quotes", "\u201cdone\u201d.txt", '"done".txt'],
])("a name with %s is found", async (_what, onDisk, asked) => {
  await writeFile(workspace.path(onDisk), "x");

  expect(await looked(asked)).toBe(onDisk);
});

test("folders on the way are found by their look too", async () => {
  await workspace.write("cafe\u0301/a\u00a0b/c.txt", "x");

  expect(await looked("caf\u00e9/a b/c.txt")).toBe("cafe\u0301/a\u00a0b/c.txt");
});

test("a name that is there is meant as it is; two that look the same are none", async () => {
  await writeFile(workspace.path("e\u0301"), "x");
  await writeFile(workspace.path("a\u00a0b"), "x");
  await writeFile(workspace.path("a\u202fb"), "x");

  expect(await looked("e\u0301")).toBe("e\u0301");
  expect(await looked("a b")).toBeUndefined();
  expect(await looked("none")).toBeUndefined();
});

test("what may have been meant: another letter case, another ending, a slip of the pen", async () => {
  for (const name of ["README.md", "index.ts", "index.js", "server.ts", "unlike.txt"]) await workspace.write(name, "x");

  expect(await similar("readme.md")).toEqual(["README.md"]);
  expect(await similar("index.tsx")).toEqual(["index.ts", "index.js"]);
  expect(await similar("sevrer.ts")).toEqual(["server.ts"]);
  expect(await similar("nothing-like-it")).toEqual([]);
  expect(await similar("no/such/folder.ts")).toEqual([]);
});
