import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyPatchTool } from "../../src/tools/builtin/apply-patch.ts";
import { writeTool } from "../../src/tools/builtin/write.ts";
import { type TestContext, testContext } from "../support/file-tool-context.ts";
import { guardedCalls } from "./guarded-calls.ts";

let context: TestContext;
let outside = "";
const inside = (path: string) => join(context.cwd, path);

beforeEach(async () => {
  context = await testContext();
  outside = await realpath(await mkdtemp(join(tmpdir(), "pawl-outside-")));
  await writeFile(join(outside, "secret"), "theirs\n");
  await mkdir(inside("src"));
  await writeFile(inside("src/a.txt"), "ours\n");
  await symlink(outside, inside("out"));
  await symlink(join(outside, "secret"), inside("linked"));
  await symlink(join(outside, "not-yet"), inside("dangling"));
  await symlink("loop-b", inside("loop-a"));
  await symlink("loop-a", inside("loop-b"));
  await symlink("src", inside("inner"));
  await mkdir(`${context.cwd}-beside`);
});
afterEach(async () => {
  await rm(`${context.cwd}-beside`, { recursive: true, force: true });
  await context.dispose();
  await rm(outside, { recursive: true, force: true });
});

const write = (path: string) => guardedCalls(context).call(writeTool, { file_path: path, content: "new\n" });
const patch = (path: string) =>
  guardedCalls(context).call(applyPatchTool, {
    patch: `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`,
  });

describe.each([
  ["a folder whose name begins like the workspace's", () => `${context.cwd}-beside/new`],
  ["an absolute path elsewhere", () => join(outside, "new")],
  ["a folder above", () => "../new"],
  ["dots that lead out", () => `${context.cwd}/src/../../new`],
  ["a link in the middle", () => inside("out/new")],
  ["a link in the middle and a folder that is not there", () => inside("out/a/b/new")],
  ["a link at the end", () => inside("linked")],
  ["a dangling link at the end", () => inside("dangling")],
  ["dots after a link", () => `${context.cwd}/out/../${basename(dirname(outside))}-not/new`],
  ["a loop of links", () => inside("loop-a/new")],
  ["the home folder", () => "~/new"],
  ["a name with a NUL byte", () => inside("a\0b")],
  ["a protected folder that is not there", () => inside(".git/hooks/pre-commit")],
  ["a protected folder in other letters", () => inside(".GIT/config")],
  ["a protected file that is not there", () => inside(".bashrc")],
])("%s", (_, path) => {
  test("is not written by Write or ApplyPatch", async () => {
    const names = (await readdir(context.cwd, { recursive: true })).sort();

    for (const outcome of [await write(path()), await patch(path())]) {
      const isRefused = outcome.type === "denied" || (outcome.type === "done" && outcome.result.isError === true);
      expect(isRefused, JSON.stringify(outcome)).toBe(true);
    }

    expect(await readdir(outside)).toEqual(["secret"]);
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("theirs\n");
    expect(await readdir(`${context.cwd}-beside`)).toEqual([]);
    expect((await readdir(context.cwd, { recursive: true })).sort()).toEqual(names);
  });
});

test.each([
  ["a new file", "src/new.txt"],
  ["new folders", "x/y/z/new.txt"],
  ["a link to a folder inside", "inner/new.txt"],
  ["a name beside a protected one", ".gitignore2"],
  ["a relative path", "./src/../src/b.txt"],
])("inside the workspace it is written: %s", async (_, path) => {
  const outcome = await guardedCalls(context).call(writeTool, { file_path: path, content: "new\n" });
  expect(JSON.stringify(outcome)).toContain("File created successfully");
  expect(await readFile(join(await realpath(dirname(inside(path))), basename(path)), "utf8")).toBe("new\n");
});

test("a file that another hard link names outside is replaced here, and stays as it is there", async () => {
  await link(join(outside, "secret"), inside("hard.txt"));
  const { hash, mtimeMs, size } = await context.files.readText(inside("hard.txt"), {
    signal: context.signal,
    maxBytes: 100,
  });
  context.readState.set(inside("hard.txt"), { hash, mtimeMs, size, isWhole: true });

  await write(inside("hard.txt"));

  expect(await readFile(inside("hard.txt"), "utf8")).toBe("new\n");
  expect(await readFile(join(outside, "secret"), "utf8")).toBe("theirs\n");
});

test("a link to a file inside stays a link", async () => {
  await symlink("src/a.txt", inside("alias.txt"));
  const { hash, mtimeMs, size } = await context.files.readText(inside("alias.txt"), {
    signal: context.signal,
    maxBytes: 100,
  });
  context.readState.set(inside("src/a.txt"), { hash, mtimeMs, size, isWhole: true });

  await write(inside("alias.txt"));

  expect((await lstat(inside("alias.txt"))).isSymbolicLink()).toBe(true);
  expect(await readlink(inside("alias.txt"))).toBe("src/a.txt");
  expect(await readFile(inside("src/a.txt"), "utf8")).toBe("new\n");
});
