import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import type { ToolResult } from "../tool.ts";
import { createReadTool } from "./read.ts";
import { writeTool } from "./write.ts";

const readTool = createReadTool();

let context: TestContext;
const at = (name: string) => join(context.cwd, name);
const read = (name: string, more: object = {}) => readTool.run({ file_path: at(name), ...more }, context);
const refused = (text: string): ToolResult => ({
  content: `<tool_use_error>${text}</tool_use_error>`,
  isError: true,
  structured: `Error: ${text}`,
});

const missingText = (name: string) =>
  `File does not exist. Note: your current working directory is ${context.cwd}.\n${at(name)} does not exist.`;

beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

test("lines are numbered with a tab, and a final line ending gives a last empty line", async () => {
  await writeFile(at("a.txt"), "one\r\n\ttwo\nthree\n");

  expect(await read("a.txt")).toEqual({
    content: "1\tone\n2\t\ttwo\n3\tthree\n4\t",
    structured: {
      type: "text",
      file: { filePath: at("a.txt"), content: "one\n\ttwo\nthree\n", numLines: 4, startLine: 1, totalLines: 4 },
    },
  });
});

test("a range is given with its own numbers", async () => {
  await writeFile(at("a.txt"), "one\ntwo\nthree\nfour");

  expect(await read("a.txt", { offset: 2, limit: 2 })).toEqual({
    content: "2\ttwo\n3\tthree",
    structured: {
      type: "text",
      file: { filePath: at("a.txt"), content: "two\nthree", numLines: 2, startLine: 2, totalLines: 4 },
    },
  });
});

test("an empty file and an offset past the end are successes with a notice", async () => {
  await writeFile(at("empty.txt"), "");
  await writeFile(at("a.txt"), "one\ntwo");

  expect(await read("empty.txt")).toEqual({
    content: "<system-reminder>The file exists but is empty.</system-reminder>",
    structured: {
      type: "text",
      file: { filePath: at("empty.txt"), content: "", numLines: 0, startLine: 1, totalLines: 0 },
    },
  });
  const past = await read("a.txt", { offset: 9 });
  expect(past.isError).toBeUndefined();
  expect(past.content).toContain("The file has 2 lines; offset 9 is past its end.");
  expect(context.readState.get(at("a.txt"))).toBeUndefined();
});

test("a missing file says so with the current directory", async () => {
  expect(await read("none.txt")).toEqual(refused(missingText("none.txt")));
});

test("a relative path starts at the current directory, and ~ is refused", async () => {
  await mkdir(at("sub"));
  await writeFile(at("sub/a.txt"), "here");
  context.setCwd(at("sub"));

  expect((await readTool.run({ file_path: "a.txt" }, context)).content).toBe("1\there");
  expect((await readTool.run({ file_path: "~/a.txt" }, context)).content).toContain("Give the absolute path");
});

test("the same range of an unchanged file is not sent twice, until it is asked for again", async () => {
  await writeFile(at("a.txt"), "one");
  const first = await read("a.txt");
  await utimes(at("a.txt"), 1, 1);

  const second = await read("a.txt");
  const third = await read("a.txt");

  expect(second.content).toMatch(/^File unchanged since last read/);
  expect(second.structured).toEqual({ type: "file_unchanged", file: { filePath: at("a.txt") } });
  expect(third).toEqual(first);
});

test("a changed file, another range and one's own write are sent in full", async () => {
  await writeFile(at("a.txt"), "one\ntwo");
  await read("a.txt");
  expect((await read("a.txt", { limit: 1 })).content).toBe("1\tone");
  await writeFile(at("a.txt"), "1\ntwo");
  expect((await read("a.txt", { limit: 1 })).content).toBe("1\t1");
  await read("a.txt");
  await writeTool.run({ file_path: at("a.txt"), content: "1\ntwo" }, context);

  expect((await read("a.txt")).content).toBe("1\t1\n2\ttwo");
});

test("a file over the token cap gives its first lines as a PARTIAL view that unlocks nothing", async () => {
  const small = createReadTool({ maxTokens: 10 });
  await writeFile(at("long.txt"), "0123456789\n".repeat(100));

  const result = await small.run({ file_path: at("long.txt") }, context);

  expect(result.isError).toBeUndefined();
  expect(result.content).toMatch(
    /^1\t0123456789\n2\t0123456789\n3\t0123456789\n\n<system-reminder>PARTIAL view: .* lines 1 to 3 of 101\..*offset 4/,
  );
  expect(result.structured).toMatchObject({ file: { numLines: 3, totalLines: 101, truncatedByTokenCap: true } });
  expect(context.readState.get(at("long.txt"))).toBeUndefined();
});

test("what fits the cap exactly is given whole, one byte more is not", async () => {
  const small = createReadTool({ maxTokens: 10 });
  await writeFile(at("fits.txt"), `${"x".repeat(17)}\n${"y".repeat(18)}`); // 2 + 17 + 1 + 2 + 18 = 40 bytes
  await writeFile(at("over.txt"), `${"x".repeat(17)}\n${"y".repeat(19)}`);

  expect((await small.run({ file_path: at("fits.txt") }, context)).content).toBe(
    `1\t${"x".repeat(17)}\n2\t${"y".repeat(18)}`,
  );
  expect((await small.run({ file_path: at("over.txt") }, context)).content).toContain("PARTIAL view");
});

test("a first line over the cap is cut between characters", async () => {
  const small = createReadTool({ maxTokens: 10 });
  for (const lead of ["", "a", "ab", "abc"]) {
    await writeFile(at("wide.txt"), lead + "😀".repeat(1_000));

    const { content } = await small.run({ file_path: at("wide.txt") }, context);

    const emoji = Math.floor((38 - lead.length) / 4);
    expect(content).toMatch(
      new RegExp(`^1\\t${lead}(😀){${emoji}}\\n\\n.*PARTIAL view: .*only the beginning of line 1`, "u"),
    );
  }
});

test("an explicit range over the cap is an error that counts its tokens", async () => {
  await writeFile(at("long.txt"), `${"x".repeat(1_000)}\n`.repeat(150));

  const result = await read("long.txt", { offset: 1, limit: 120 });

  expect(result.isError).toBe(true);
  expect(result.content).toContain("File content (30123 tokens) exceeds maximum allowed tokens (25000).");
  expect(result.content).toContain("use offset and limit");
  expect(context.readState.get(at("long.txt"))).toBeUndefined();
});

test("a whole file above 256KB is an error, a range of it and its beginning are not", async () => {
  await writeFile(at("big.txt"), "line of text\n".repeat(30_000));

  const whole = await read("big.txt");
  expect(whole.isError).toBe(true);
  expect(whole.content).toContain("File content (380.9 KB) exceeds maximum allowed size (256KB)");
  expect((await read("big.txt", { offset: 29_999, limit: 1 })).content).toBe("29999\tline of text");
  expect((await read("big.txt", { allow_large: true })).content).toContain("PARTIAL view");
});

test("a read as a whole and ranges are told apart", async () => {
  await writeFile(at("a.txt"), "one\ntwo");
  await writeFile(at("b.txt"), "one\ntwo");

  await read("a.txt", { offset: 1, limit: 1 });
  expect(context.readState.get(at("a.txt"))).toMatchObject({ isWhole: false, given: { offset: 1, limit: 1 } });
  await read("a.txt");
  await read("a.txt", { offset: 2 });
  expect(context.readState.get(at("a.txt"))).toMatchObject({ isWhole: true, given: { offset: 2 } });
  await read("b.txt", { offset: 1, limit: 2 });
  expect(context.readState.get(at("b.txt"))).toMatchObject({ isWhole: true });
});

test("a file read through a link is known by its real path", async () => {
  await writeFile(at("a.txt"), "one");
  await symlink("a.txt", at("link.txt"));

  await read("link.txt");

  expect([...context.readState.entries()].map(([path]) => path)).toEqual([at("a.txt")]);
});

test("B30: the byte order mark is not shown", async () => {
  await writeFile(at("bom.ts"), "\uFEFFconst v = 1;");

  expect((await read("bom.ts")).content).toBe("1\tconst v = 1;");
});

test("what is no file to be read says what it is, at once", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  await once(server, "listening");
  await writeFile(at("data.bin"), Buffer.from([1, 2, 0, 3]));
  await mkdir(at("sub"));
  await symlink("nowhere.txt", at("dangling"));
  await symlink("loop-b", at("loop-a"));
  await symlink("loop-a", at("loop-b"));
  await writeFile(at("sparse"), "");
  await truncate(at("sparse"), 4 * 1024 ** 3);
  const says = {
    pipe: "is a named pipe",
    socket: "is a socket",
    "data.bin": "byte 2 is NUL, as in binary data",
    sub: "is a directory",
    dangling: `${at("dangling")} is a link to ${at("nowhere.txt")}, which does not exist.</tool_use_error>`,
    "loop-a": "leads through a loop of symbolic links",
    sparse: "exceeds maximum allowed size (256KB)",
    "nul\0name": "holds a NUL byte",
    "sub/../data.bin/x": "does not exist",
  };
  for (const [name, text] of Object.entries(says)) {
    const startedMs = performance.now();
    const result = await read(name);
    expect([name, result.isError, result.content]).toEqual([name, true, expect.stringContaining(text)]);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  }
  expect((await readTool.run({ file_path: "/dev/zero" }, context)).content).toContain("/dev/zero is a device");
  expect((await read("sparse", { offset: 1, limit: 1 })).content).toContain("at most 1073741824 can be read here");
  server.close();
});

test("a file without the right to read it says so", async () => {
  await writeFile(at("locked"), "x", { mode: 0 });
  await chmod(context.cwd, 0o755);

  const answer = await asNobody(() => read("locked"));

  expect(answer.content).toContain("the system denies access");
});

/** Root may read everything: for the time of `action` this process is somebody else. */
async function asNobody<Result>(action: () => Promise<Result>): Promise<Result> {
  const { seteuid, getuid } = process;
  if (getuid?.() !== 0 || seteuid === undefined) return action();
  seteuid(NOBODY);
  try {
    return await action();
  } finally {
    seteuid(0);
  }
}

const NOBODY = 65_534;

test("files of the kernel, which say that they are empty, are read", async () => {
  expect((await readTool.run({ file_path: "/proc/self/status" }, context)).content).toMatch(/^1\tName:/);
});

test("a file that grows while it is read is given as far as it was", async () => {
  await writeFile(at("log"), "line\n".repeat(40_000));
  const growing = (async () => {
    for (let count = 0; count < 50; count++) await appendFile(at("log"), "more\n".repeat(100));
  })();

  const result = await read("log", { offset: 39_999, limit: 2 });
  await growing;

  expect(result.content).toMatch(/^39999\tline\n40000\tline/);
});

test("a text is a text, whatever its name says", async () => {
  await writeFile(at("pointer.png"), "version https://git-lfs.github.com/spec/v1\n");
  await writeFile(at("notes.pdf"), "see %PDF");

  expect((await read("pointer.png")).content).toMatch(/^1\tversion https:/);
  expect((await read("notes.pdf")).content).toBe("1\tsee %PDF");
});

test("images of kinds that models do not take say which they are", async () => {
  await writeFile(at("a.bmp"), Buffer.from("BM1234\0\0\0\0......", "latin1"));
  await writeFile(at("b.png"), Buffer.from("II*\0........", "latin1"));

  expect((await read("a.bmp")).content).toContain("is a BMP image; only PNG, JPEG, GIF and WebP can be shown");
  expect((await read("b.png")).content).toContain("is a TIFF image");
});

test("the one file whose name looks the same is read, and its exact name is given", async () => {
  await writeFile(at("Shot 9.41\u202fAM.txt"), "shot");

  const result = await read("Shot 9.41 AM.txt");

  const exact = at("Shot 9.41\u202fAM.txt");
  expect(result.content).toBe(`1\tshot\n\n<system-reminder>The exact name of this file is ${exact}.</system-reminder>`);
  expect(context.readState.get(exact)).toMatchObject({ isWhole: true });
});

test("a name that looks the same gets round no rule: it is suggested when the user would be asked, else not named", async () => {
  await writeFile(at("it\u2019s.txt"), "secret");
  const readAs = (verdict: "ask" | "deny") =>
    readTool.run(
      { file_path: at("it's.txt") },
      { ...context, readAccess: { decide: async () => verdict, below: async () => undefined } },
    );

  expect((await readAs("ask")).content).toContain(`Did you mean ${at("it\u2019s.txt")}?`);
  expect(await readAs("deny")).toEqual(refused(missingText("it's.txt")));
});

test("a missing file names those that may have been meant and may be read", async () => {
  await writeFile(at("README.md"), "x");
  await writeFile(at("readme.me"), "x");
  const readAccess = {
    decide: async (path: string) => (path.endsWith(".md") ? ("deny" as const) : ("allow" as const)),
    below: async () => undefined,
  };

  expect((await read("readme.mx")).content).toContain(`Did you mean ${at("README.md")} or ${at("readme.me")}?`);
  const { content } = await readTool.run({ file_path: at("readme.mx") }, { ...context, readAccess });
  expect(content).toContain(`Did you mean ${at("readme.me")}?`);
});

test("pages of a text file is an error, an empty one is as good as none", async () => {
  await writeFile(at("a.txt"), "one");

  expect((await read("a.txt", { pages: "1-5" })).content).toContain("use offset and limit");
  expect((await read("a.txt", { pages: "" })).content).toBe("1\tone");
});

test("an abort passes through as an error of the call, not of the file", async () => {
  await context.dispose();
  context = await testContext({ signal: AbortSignal.abort() });
  await writeFile(at("a.txt"), "one");

  await expect(read("a.txt")).rejects.toMatchObject({ code: "aborted" });
});

test("the tool only reads, may run beside others, and names its path", () => {
  const input = { file_path: "/a.txt" };

  expect(readTool.isReadOnly(input)).toBe(true);
  expect(readTool.isConcurrencySafe(input)).toBe(true);
  expect(readTool.touches(input)).toEqual([{ type: "read", path: "/a.txt" }]);
  expect(readTool.parse({ file_path: "/a.txt", offset: 0 })).toEqual({
    ok: false,
    issues: ["The parameter `offset` must be at least 1 but is 0"],
  });
});
