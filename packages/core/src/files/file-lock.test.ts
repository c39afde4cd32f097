import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { withFileLock } from "./file-lock.ts";

let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await tempWorkspace();
});
afterEach(() => workspace.remove());

const lock = () => workspace.path("settings.json.lock");
const locked = (action = async () => {}) => withFileLock(workspace.path("settings.json"), action);

test("the lock is there while the work is done, and gone when it fails", async () => {
  const failing = locked(async () => {
    expect(await readdir(workspace.root)).toContain("settings.json.lock");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await readdir(workspace.root)).toEqual([]);
});

test.each([
  ["text", () => writeFile(lock(), "not ours")],
  ["JSON of another shape", () => writeFile(lock(), "{}")],
  ["an empty file", () => writeFile(lock(), "")],
  ["a folder", () => mkdir(lock())],
  ["a link that leads nowhere", () => symlink("nowhere", lock())],
])("what stands in the lock's place and is none is named, not waited for, and stays: %s", async (_, make) => {
  await make();
  const working = locked();
  await expect(working).rejects.toMatchObject({ code: "file_locked" });
  await expect(working).rejects.toThrow(`${lock()} is no lock of this program`);
  expect(await readdir(workspace.root)).toEqual(["settings.json.lock"]);
});

test("where there can be no lock, the error is one for people and names the file", async () => {
  await writeFile(workspace.path("file"), "");
  const path = workspace.path("file/inner/settings.json");
  await expect(withFileLock(path, async () => {})).rejects.toMatchObject({
    name: "PawlError",
    code: "file_missing",
    message: expect.stringContaining(path),
  });
});
