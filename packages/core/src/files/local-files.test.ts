import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { mkdir, mkdtemp, open, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "./hash.ts";
import { localFiles } from "./local-files.ts";
import { readRegularFile } from "./regular-file.ts";

const files = localFiles();
const { signal } = new AbortController();
const bounds = { signal, maxBytes: 1_000 };
let folder = "";
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-files-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a text file is given with its line endings, its hash and without its byte order mark", async () => {
  const bytes = Buffer.from("\uFEFFone\r\ntwo\n");
  await writeFile(at("a.txt"), bytes, { mode: 0o640 });

  const { mtimeMs, ...file } = await files.readText(at("a.txt"), bounds);

  expect(file).toEqual({
    text: "one\r\ntwo\n",
    hasBom: true,
    encoding: "utf-8",
    hash: sha256(bytes),
    size: 12,
    mode: 0o640,
  });
  expect(mtimeMs).toBeGreaterThan(0);
});

test("what is no regular file is refused at once, each kind by its name", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  await mkdir(at("sub"));
  try {
    const refusals = {
      [at("pipe")]: ["file_not_regular", `${at("pipe")} is a named pipe; only regular files are read and written.`],
      [at("socket")]: ["file_not_regular", `${at("socket")} is a socket; only regular files are read and written.`],
      "/dev/zero": ["file_not_regular", "/dev/zero is a device; only regular files are read and written."],
      [at("sub")]: ["file_is_directory", `${at("sub")} is a directory, not a file.`],
    };
    for (const [path, [code, message]] of Object.entries(refusals)) {
      await expect(files.readText(path, bounds)).rejects.toMatchObject({ code, message });
      await expect(files.writeText(path, { text: "x", hasBom: false })).rejects.toMatchObject({ code, message });
    }
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test("missing files, paths through a file, NUL bytes and relative paths give their own errors", async () => {
  await writeFile(at("a.txt"), "x");
  const codeOf = (path: string) => files.readText(path, bounds).catch((error: { code: string }) => error.code);

  expect(await codeOf(at("none.txt"))).toBe("file_missing");
  expect(await codeOf(at("a.txt/b.txt"))).toBe("file_missing");
  expect(await codeOf(at("a\0.txt"))).toBe("file_path");
  expect(await codeOf("a.txt")).toBe("file_path");
  expect(await files.stat(at("none.txt"))).toBeUndefined();
  await expect(files.stat(at("a\0.txt"))).rejects.toMatchObject({ code: "file_path" });
});

test("a file above the bound is refused before it is read, and one that grows while it is read", async () => {
  await writeFile(at("big.txt"), "x".repeat(1_001));
  await writeFile(at("log.txt"), "x");
  const grow = () => appendFileSync(at("log.txt"), "x".repeat(400));

  await expect(files.readText(at("big.txt"), bounds)).rejects.toMatchObject({ code: "file_too_large" });
  await expect(readRegularFile(at("log.txt"), bounds, grow)).rejects.toMatchObject({ code: "file_too_large" });
});

test("a link is read, a loop and a dangling link are named", async () => {
  await writeFile(at("a.txt"), "x");
  await symlink("a.txt", at("link"));
  await symlink("loop2", at("loop1"));
  await symlink("loop1", at("loop2"));
  await symlink("nowhere", at("dangling"));

  expect((await files.readText(at("link"), bounds)).text).toBe("x");
  await expect(files.readText(at("loop1"), bounds)).rejects.toThrow("leads through a loop of symbolic links");
  await expect(files.realPath(at("loop1"))).rejects.toThrow("leads through a loop of symbolic links");
  await expect(files.readText(at("dangling"), bounds)).rejects.toMatchObject({ code: "file_missing" });
  await expect(files.writeText(at("dangling"), { text: "x", hasBom: false })).rejects.toThrow(
    "is a link to nowhere, which does not exist",
  );
});

test("an aborted signal ends a read, before it starts and in the middle of a big file", async () => {
  const handle = await open(at("sparse.bin"), "w");
  await handle.truncate(4 * 1024 ** 3);
  await handle.close();
  const controller = new AbortController();
  const request = { signal: controller.signal, maxBytes: Number.MAX_SAFE_INTEGER, offset: 1, maxTextBytes: 10 };
  await writeFile(at("a.txt"), "x");
  await expect(files.readText(at("a.txt"), { signal: AbortSignal.abort(), maxBytes: 10 })).rejects.toMatchObject({
    code: "aborted",
  });

  const half = await open(at("sparse.bin"), "r+");
  await half.write("text ".repeat(2_000), 0); // so that it does not look binary
  await half.close();
  const reading = files.readLines(at("sparse.bin"), request);
  setTimeout(() => controller.abort(), 20);

  await expect(reading).rejects.toMatchObject({ code: "aborted" });
});

test("a real path follows links, also dangling ones, and adds what is not there yet", async () => {
  await mkdir(at("real/deep"), { recursive: true });
  await symlink("real/deep", at("link"));
  await symlink("/not/there/../new", at("dangling"));
  await symlink("link/../made.txt", at("through"));

  expect(await files.realPath(at("link"))).toBe(at("real/deep"));
  expect(await files.realPath(at("link/a/b.txt"))).toBe(at("real/deep/a/b.txt"));
  expect(await files.realPath(at("dangling/x"))).toBe("/not/new/x");
  expect(await files.realPath(at("through"))).toBe(at("real/made.txt"));
  expect(await files.realPath(at("none/x.txt"))).toBe(at("none/x.txt"));
});

test("lines of a range are given across pieces, with the counts of the whole", async () => {
  const text = `${"filler line\r\n".repeat(60_000)}😀 last\rone`;
  await writeFile(at("long.txt"), text);

  const range = await files.readLines(at("long.txt"), {
    signal,
    maxBytes: 10_000_000,
    offset: 60_000,
    limit: 2,
    maxTextBytes: 100,
  });

  expect({ ...range, mtimeMs: 0, mode: 0 }).toEqual({
    lines: ["filler line", "😀 last\rone"],
    isCut: false,
    rangeLines: 2,
    rangeBytes: 12 + 14,
    totalLines: 60_001,
    hash: sha256(Buffer.from(text)),
    hasBom: false,
    encoding: "utf-8",
    size: Buffer.byteLength(text),
    mtimeMs: 0,
    mode: 0,
  });
});

test("of a longer text no more is held than asked for, cut between characters", async () => {
  await writeFile(at("wide.txt"), `${"😀".repeat(100_000)}\nend`);
  await writeFile(at("empty-lines.txt"), "\n".repeat(100_000));
  const request = { signal, maxBytes: 10_000_000, offset: 1, maxTextBytes: 10 };

  const wide = await files.readLines(at("wide.txt"), request);
  const emptyLines = await files.readLines(at("empty-lines.txt"), request);

  expect([wide.lines, wide.isCut, wide.rangeBytes, wide.totalLines]).toEqual([["😀😀"], true, 400_005, 2]);
  expect([emptyLines.lines.length, emptyLines.isCut, emptyLines.rangeLines]).toEqual([11, true, 100_001]);
});

test("text with half of a character is refused, because no bytes stand for it", async () => {
  await expect(files.writeText(at("a.txt"), { text: "a\ud83d", hasBom: false })).rejects.toMatchObject({
    code: "file_encoding",
  });
});

test("binary data is refused by name of what was found, and stays as it is", async () => {
  const cases: [name: string, bytes: Buffer, found: string][] = [
    ["nul.bin", Buffer.from([0x41, 0x00, 0x42, 0x43, 0x00]), "byte 1 is NUL"],
    ["numbers.bin", Buffer.from([1, 0, 2, 0, 3, 0, 0x41, 0]), "byte 1 is NUL"],
    ["odd.txt", Buffer.concat([Buffer.from("\uFEFFhello", "utf16le"), Buffer.from([0])]), "odd number of bytes"],
    ["utf32.txt", Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), "holds NUL characters"],
    ["noise.bin", Buffer.from(Array.from({ length: 512 }, (_, i) => ((i * 197) % 255) + 1)), "control characters"],
  ];
  for (const [name, bytes, found] of cases) {
    await writeFile(at(name), bytes);

    const refusal = await files.readText(at(name), { signal, maxBytes: 100_000 }).catch((error: Error) => error);

    expect(refusal).toMatchObject({ code: "file_encoding", message: expect.stringContaining(found) });
    expect(refusal).toMatchObject({ message: expect.stringContaining(at(name)) });
    expect(await readFile(at(name))).toEqual(bytes);
  }
});
