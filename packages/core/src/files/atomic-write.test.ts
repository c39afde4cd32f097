import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { atomicWrite, removeFile } from "./atomic-write.ts";
import { sha256 } from "./hash.ts";

let folder = "";
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-write-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a new file gets its parents, its bytes and the mode of the umask", async () => {
  const stamp = await atomicWrite(at("a/b/c.txt"), Buffer.from("new"));

  const stats = await stat(at("a/b/c.txt"));
  expect(await readFile(at("a/b/c.txt"), "utf8")).toBe("new");
  expect(stamp).toEqual({ size: 3, mtimeMs: stats.mtimeMs, mode: 0o666 & ~process.umask() });
});

test("mode and owner of a file are kept, and nothing is left beside it", async () => {
  await writeFile(at("run.sh"), "old");
  await chmod(at("run.sh"), 0o751);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(at("run.sh"), 1234, 2345);
  const before = await stat(at("run.sh"));

  await atomicWrite(at("run.sh"), Buffer.from("new"));

  const after = await stat(at("run.sh"));
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
  expect(await readFile(at("run.sh"), "utf8")).toBe("new");
  expect(await readdir(folder)).toEqual(["run.sh"]);
});

test("a link stays a link and its target is written", async () => {
  await mkdir(at("other"));
  await writeFile(at("other/target.txt"), "old");
  await symlink("other/target.txt", at("link.txt"));

  await atomicWrite(at("link.txt"), Buffer.from("new"));

  expect((await lstat(at("link.txt"))).isSymbolicLink()).toBe(true);
  expect(await readlink(at("link.txt"))).toBe("other/target.txt");
  expect(await readFile(at("other/target.txt"), "utf8")).toBe("new");
});

test("when the bytes on disk are not the expected ones nothing is written and no temp file is left", async () => {
  await writeFile(at("a.txt"), "changed");

  const other = atomicWrite(at("a.txt"), Buffer.from("new"), { expectedHash: sha256(Buffer.from("old")) });
  await expect(other).rejects.toMatchObject({ code: "file_changed" });
  const appeared = atomicWrite(at("a.txt"), Buffer.from("new"), { expectedHash: null });
  await expect(appeared).rejects.toThrow("appeared in the meantime");
  const removed = atomicWrite(at("gone.txt"), Buffer.from("new"), { expectedHash: sha256(Buffer.from("old")) });
  await expect(removed).rejects.toThrow("was removed in the meantime");

  expect(await readFile(at("a.txt"), "utf8")).toBe("changed");
  expect(await readdir(folder)).toEqual(["a.txt"]);
});

test("a path through a file is refused with what is wrong", async () => {
  await writeFile(at("a.txt"), "x");

  await expect(atomicWrite(at("a.txt/b.txt"), Buffer.from("new"))).rejects.toThrow("a part of the path is a file");
});

test("what killed processes left in a folder is removed by a later write, and nothing else is", async () => {
  const old = Date.now() / 1_000 - 2 * 3_600;
  const names = [".pawl-0123456789abcdef.tmp", ".pawl-fedcba9876543210.tmp", ".pawl-other.tmp", "pawl.tmp"];
  for (const name of names) await writeFile(at(name), "half");
  for (const name of names.filter((each) => !each.includes("fedc"))) await utimes(at(name), old, old);

  await atomicWrite(at("a.txt"), Buffer.from("new"));

  // The second is young: the process that writes it may be alive.
  expect((await readdir(folder)).sort()).toEqual([
    ".pawl-fedcba9876543210.tmp",
    ".pawl-other.tmp",
    "a.txt",
    "pawl.tmp",
  ]);
});

test("a file is removed when its bytes are the expected ones, a link is not", async () => {
  await writeFile(at("a.txt"), "x");
  await symlink("a.txt", at("link"));
  const expectedHash = sha256(Buffer.from("x"));

  await expect(removeFile(at("link"), { expectedHash })).rejects.toMatchObject({ code: "file_not_regular" });
  await expect(removeFile(at("a.txt"), { expectedHash: "other" })).rejects.toMatchObject({ code: "file_changed" });
  expect((await readdir(folder)).sort()).toEqual(["a.txt", "link"]);
  await removeFile(at("a.txt"), { expectedHash });
  expect(await readdir(folder)).toEqual(["link"]);
});

test("where a file is expected no folder is made for it", async () => {
  const write = atomicWrite(at("gone/a.txt"), Buffer.from("new"), { expectedHash: sha256(Buffer.from("old")) });
  await expect(write).rejects.toThrow("was removed in the meantime");
  expect(await readdir(folder)).toEqual([]);
});

test("a process killed while it writes leaves the old or the new bytes, whole", async () => {
  await compileWriter(at("writer"));
  await writeFile(at("file.bin"), Buffer.alloc(WRITTEN_BYTES, "a"));
  let kills = 0;
  for (let round = 0; round < KILLS; round++) {
    const delayMs = [0, 3, 7, 19][round % 4] ?? 0;
    const child = spawn(process.execPath, [at("writer/writer.mjs"), at("file.bin")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (!(await isWriting(child))) throw new Error("the writer did not start");
    // What a reader sees at any instant is what a kill at that instant would leave.
    for (let look = 0; look < LOOKS; look++) requireWhole(await readFile(at("file.bin")));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    child.kill("SIGKILL");
    await once(child, "exit");
    kills += child.signalCode === "SIGKILL" ? 1 : 0;

    requireWhole(await readFile(at("file.bin")));
  }
  expect(kills).toBe(KILLS);
}, 3_600_000);

/** All of one writing: of one letter, from end to end. */
function requireWhole(bytes: Buffer): void {
  expect(bytes.length).toBe(WRITTEN_BYTES);
  expect(bytes.equals(Buffer.alloc(WRITTEN_BYTES, bytes[0]))).toBe(true);
}

/** Of each writer, before it is killed. */
const LOOKS = 40;

const KILLS = process.env["PAWL_LONG"] === "1" ? 400 : 4;

const WRITTEN_BYTES = 1024 * 1024;

const isWriting = async (child: ChildProcess) => child.stdout !== null && (await once(child.stdout, "data")).length > 0;

/** The module under test as a program that writes a file of one letter after the other until it is killed. */
async function compileWriter(outDir: string): Promise<void> {
  const entry = fileURLToPath(new URL("atomic-write.ts", import.meta.url));
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: entry, outDir, minify: false, rolldownOptions: { output: { entryFileNames: "atomic-write.mjs" } } },
  });
  await writeFile(
    join(outDir, "writer.mjs"),
    `import { atomicWrite, removeFile } from "./atomic-write.mjs";
    for (let letter = 0; ; letter = (letter + 1) % 26) {
      await atomicWrite(process.argv[2], Buffer.alloc(${WRITTEN_BYTES}, 97 + letter));
      process.stdout.write(".");
    }`,
  );
}
