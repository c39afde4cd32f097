import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../src/files/hash.ts";
import { localFiles } from "../../src/files/local-files.ts";
import { editTool } from "../../src/tools/builtin/edit.ts";
import { createReadTool } from "../../src/tools/builtin/read.ts";
import { writeTool } from "../../src/tools/builtin/write.ts";
import type { Tool, ToolOutcome } from "../../src/tools/tool.ts";
import { type TestContext, testContext } from "../support/file-tool-context.ts";
import { guardedCalls } from "./guarded-calls.ts";

const readTool = createReadTool();

const isLong = process.env["PAWL_LONG"] === "1";
const ROUNDS = isLong ? 20_000 : 150;

let context: TestContext;
let outside = "";
const inside = (path: string) => join(context.cwd, path);

/** The same tree inside and outside; only the text of the files says where one is. */
async function makeTree(root: string, text: string): Promise<void> {
  await mkdir(join(root, "a/b/c"), { recursive: true });
  for (const folder of ["", "a", "a/b", "a/b/c"]) await writeFile(join(root, folder, "file.txt"), text);
}

beforeEach(async () => {
  context = await testContext();
  outside = await realpath(await mkdtemp(join(tmpdir(), "pawl-outside-")));
  await makeTree(context.cwd, "inside\n");
  await makeTree(outside, "outside secret\n");
});
afterEach(async () => {
  await context.dispose();
  await rm(outside, { recursive: true, force: true });
});

/** Everything about the files outside that a write could change. */
async function state(root: string): Promise<string[]> {
  const names = await readdir(root, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const stats = await lstat(join(root, name), { bigint: true });
      const bytes = stats.isFile() ? sha256(await readFile(join(root, name))) : "";
      return `${name} ${stats.ino} ${stats.mode} ${stats.mtimeNs} ${bytes}`;
    }),
  );
}

async function putLink(name: string): Promise<void> {
  await rename(inside(name), inside(`${name}.real`));
  await symlink(join(outside, name), inside(name));
}

const text = (outcome: ToolOutcome) => JSON.stringify(outcome);

describe.each(["a", "a/b", "a/b/c", "a/b/c/file.txt"])(
  "%s becomes a link to another place after the decision",
  (name) => {
    const file = "a/b/c/file.txt";
    const attempts: [what: string, tool: Tool, input: () => object][] = [
      ["a read", readTool, () => ({ file_path: inside(file) })],
      ["an edit", editTool, () => ({ file_path: inside(file), old_string: "side", new_string: "X" })],
      ["a write", writeTool, () => ({ file_path: inside(file), content: "new" })],
      ["a new file", writeTool, () => ({ file_path: inside("a/b/c/new.txt"), content: "new" })],
      ["a new folder", writeTool, () => ({ file_path: inside("a/b/c/d/e/new.txt"), content: "new" })],
    ];

    test.each(attempts)("%s reaches nothing there", async (what, tool, input) => {
      await readTool.run({ file_path: inside(file) }, context);
      const before = await state(outside);

      const outcome = await guardedCalls(context, { decided: () => putLink(name) }).call(tool, input());

      const isUntouched = name === file && what.startsWith("a new"); // the folder is still the one that was decided on
      expect(text(outcome)).toContain(isUntouched ? "File created" : "changed between the check and the access");
      expect(text(outcome)).not.toContain("secret");
      expect(await state(outside)).toEqual(before);
    });

    test("a link in place before the decision is denied", async () => {
      await putLink(name);
      expect((await guardedCalls(context).call(writeTool, { file_path: inside(file), content: "x" })).type).toBe(
        "denied",
      );
    });
  },
);

test("without the pinned place the same write does reach the other place", async () => {
  await readTool.run({ file_path: inside("a/file.txt") }, context);
  const calls = guardedCalls(context, { decided: () => putLink("a"), files: localFiles });

  await calls.call(writeTool, { file_path: inside("a/new.txt"), content: "new" });

  expect(await readdir(join(outside, "a"))).toContain("new.txt");
});

test("a folder that takes another's place is the decided place: it is written there", async () => {
  const decided = async () => {
    await rename(inside("a"), inside("was-a"));
    await mkdir(inside("a"));
  };
  const outcome = await guardedCalls(context, { decided }).call(writeTool, {
    file_path: inside("a/new.txt"),
    content: "n",
  });
  expect(text(outcome)).toContain("File created");
  expect(await readdir(inside("a"))).toEqual(["new.txt"]);
});

describe("while another process swaps folders and files for links as fast as it can", () => {
  const swapper = fileURLToPath(new URL("swap-links.mjs", import.meta.url));
  let child: ChildProcess;
  let watcher: FSWatcher;
  let seen: string[];

  beforeEach(async () => {
    seen = [];
    // The kernel's own word on what happens there, also on what is gone again a moment later.
    watcher = watch(outside, { recursive: true }, (event, name) => seen.push(`${event} ${name}`));
    const names = ["a/b/c/file.txt", "a/b/c", "a/b", "a"];
    child = spawn(process.execPath, [swapper, ...names.flatMap((name) => [inside(name), join(outside, name)])], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (child.stdout) await once(child.stdout, "data");
  });
  afterEach(async () => {
    watcher.close();
    if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
  });

  test("no read gives and no write changes anything outside, and many go through", { timeout: 3_600_000 }, async () => {
    const before = await state(outside);
    const calls = guardedCalls(context);
    const count = { done: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      expect(child.exitCode).toBeNull();
      const folder = ["a", "a/b", "a/b/c"][round % 3] ?? "a";
      const outcomes = [
        await calls.call(writeTool, { file_path: inside(`${folder}/new-${round}.txt`), content: "new" }),
        await calls.call(readTool, { file_path: inside(`${folder}/file.txt`) }),
        await calls.call(writeTool, { file_path: inside("a/b/c/file.txt"), content: `inside ${round}\n` }),
      ];
      for (const outcome of outcomes) {
        expect(text(outcome)).not.toContain("secret");
        count[outcome.type === "done" && !outcome.result.isError ? "done" : "refused"]++;
      }
    }
    if (isLong) console.info(count);
    expect(seen).toEqual([]);
    expect(await state(outside)).toEqual(before);
    expect(Math.min(count.done, count.refused), JSON.stringify(count)).toBeGreaterThan(ROUNDS / 50);
  });
});

test("the same calls without another process all go through, and leave no temp file", async () => {
  const calls = guardedCalls(context);
  for (let round = 0; round < 60; round++) {
    const folder = ["a", "a/b", "a/b/c"][round % 3] ?? "a";
    for (const [tool, input] of [
      [writeTool, { file_path: inside(`${folder}/new-${round}/x.txt`), content: "new" }],
      [readTool, { file_path: inside(`${folder}/file.txt`) }],
      [editTool, { file_path: inside(`${folder}/file.txt`), old_string: "inside", new_string: `inside ${round}` }],
    ] as const) {
      const outcome = await calls.call(tool, input);
      expect(outcome).toMatchObject({ type: "done" });
      expect(text(outcome)).not.toContain("tool_use_error");
    }
  }
  const names = await readdir(context.cwd, { recursive: true });
  expect(names.filter((name) => name.includes(".pawl-"))).toEqual([]);
});
