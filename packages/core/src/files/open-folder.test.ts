import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFolder, openWatched } from "./open-folder.ts";

let folder = "";
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-open-")));
  await mkdir(at("a/b"), { recursive: true });
  await mkdir(at("elsewhere/b"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** `a` is moved away and a link to another place put there. */
async function swap(): Promise<void> {
  await rename(at("a"), at("was-a"));
  await symlink("elsewhere", at("a"));
}

describe.each([
  ["here", openFolder],
  ["where paths cannot begin at an open folder", openWatched],
])("%s", (_, open) => {
  test("a folder is opened and its names lead into it", async () => {
    const opened = await open(at("a/b"), "fail");
    await writeFile(opened.at("x"), "");
    await opened.verify();
    await opened.close();
    expect(await readdir(at("a/b"))).toEqual(["x"]);
  });

  test("folders that are missing are made when that is wanted", async () => {
    await (await open(at("a/b/c/d"), "make")).close();
    expect(await readdir(at("a/b/c"))).toEqual(["d"]);
    await expect(open(at("a/x/y"), "fail")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a link on the way is not followed, nor at the end", async () => {
    await swap();
    await expect(open(at("a/b"), "make")).rejects.toMatchObject({ code: "file_moved" });
    await expect(open(at("a"), "make")).rejects.toMatchObject({ code: "file_moved" });
    expect(await readdir(at("elsewhere"))).toEqual(["b"]);
  });

  test("a file on the way is named as such", async () => {
    await writeFile(at("file"), "");
    await expect(open(at("file/x"), "fail")).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(open(at("file"), "make")).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test("after a swap either the names still lead into the folder, or the check says that they do not", async () => {
    const opened = await open(at("a/b"), "fail");
    await swap();
    const verified = await opened.verify().then(
      () => true,
      () => false,
    );
    if (verified) await writeFile(opened.at("x"), "");
    await opened.close();
    expect(await readdir(at("elsewhere/b"))).toEqual([]);
    expect(verified).toBe(open === openFolder && process.platform === "linux");
  });
});

test("a path in another spelling of the same folders, as on a disk that folds case, is opened name by name", async () => {
  const opened = await openFolder(`${folder}//a/./b`);
  await writeFile(opened.at("x"), "");
  await opened.close();
  expect(await readdir(at("a/b"))).toEqual(["x"]);
});
