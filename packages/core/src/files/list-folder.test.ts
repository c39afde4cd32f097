import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFolder } from "./list-folder.ts";

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-list-"));
  await mkdir(join(root, "folder"));
  await writeFile(join(root, "file"), "");
  await symlink("folder", join(root, "link"));
});
afterAll(() => rm(root, { recursive: true }));

test("a folder's names are told with what they are, links as links", async () => {
  const entries = await listFolder(root, 10);
  expect([...(entries ?? [])].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "file", type: "file" },
    { name: "folder", type: "folder" },
    { name: "link", type: "link" },
  ]);
});

test("what is no folder, is not there or holds too much is undefined", async () => {
  expect(await listFolder(join(root, "file"), 10)).toBeUndefined();
  expect(await listFolder(join(root, "none"), 10)).toBeUndefined();
  expect(await listFolder(root, 2)).toBeUndefined();
});
