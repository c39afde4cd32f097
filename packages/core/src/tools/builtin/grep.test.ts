import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ToolSession, toolSession } from "../../../test/support/tool-session.ts";
import { type TempWorkspace, tempWorkspace } from "../../testing/temp-workspace.ts";
import { refusal } from "./error-result.ts";
import { createGrepTool } from "./grep.ts";
import type { RipgrepOptions } from "./ripgrep.ts";

const project = {
  "a.ts": "one\ntwo needle\nthree\nfour\nfive needle needle\n",
  "src/b.py": "Needle = 1\n",
  "src/c.ts": "// needle\n",
};

let workspace: TempWorkspace;
let session: ToolSession;

beforeEach(async () => {
  workspace = await tempWorkspace(project);
  session = toolSession(workspace.root);
  for (const [index, name] of Object.keys(project).entries()) {
    await utimes(workspace.path(name), 1_700_000_000 + index, 1_700_000_000 + index);
  }
});

afterEach(() => workspace.remove());

type Input = Parameters<ReturnType<typeof createGrepTool>["run"]>[0];

const grep = (input: Input, options: RipgrepOptions = {}) => createGrepTool(options).run(input, session.context);
const content = async (input: Input) => (await grep(input)).content;
const lines = async (input: Omit<Input, "output_mode">) =>
  String(await content({ ...input, output_mode: "content" })).split("\n");

test("letters of another encoding are not found, which is told with a pattern that finds them", async () => {
  await writeFile(workspace.path("latin1.txt"), Buffer.from("Gr\xfc\xdfe aus K\xf6ln\n", "latin1"));
  const told = String(await content({ pattern: "Köln" }));
  expect(told).toMatch(/^No files found\nIn files that are neither UTF-8 nor UTF-16 /);
  const [, better = ""] = /such as "(.+)" for/.exec(told) ?? [];
  expect(await content({ pattern: better })).toBe("Found 1 file\nlatin1.txt");
  expect(await content({ pattern: "nowhere" })).toBe("No files found");
});

test("names of files with a match, newest first", async () => {
  expect(await grep({ pattern: "needle" })).toEqual({
    content: "Found 2 files\nsrc/c.ts\na.ts",
    structured: { mode: "files_with_matches", numFiles: 2, filenames: ["src/c.ts", "a.ts"] },
  });
});

test("matching lines with their numbers", async () => {
  expect(await grep({ pattern: "needle", output_mode: "content" })).toEqual({
    content: "a.ts:2:two needle\na.ts:5:five needle needle\nsrc/c.ts:1:// needle",
    structured: {
      mode: "content",
      numFiles: 2,
      filenames: ["a.ts", "src/c.ts"],
      content: "a.ts:2:two needle\na.ts:5:five needle needle\nsrc/c.ts:1:// needle",
      numLines: 3,
    },
  });
});

test("the end of a line is found before either line ending, and a carriage return when it is looked for", async () => {
  await workspace.write("crlf.txt", "alpha\r\nbeta\r\n");
  expect(await lines({ pattern: "alpha$", path: "crlf.txt" })).toEqual(["crlf.txt:1:alpha"]);
  expect(await lines({ pattern: "(?<=al)pha$", path: "crlf.txt" })).toEqual(["crlf.txt:1:alpha"]);
  expect(await lines({ pattern: "a\\r$", path: "crlf.txt" })).toHaveLength(2);
  expect(await lines({ pattern: "[$]|\\$", path: "crlf.txt" })).toEqual(["No matches found"]);
  expect(await lines({ pattern: "alpha$\\nbeta$", path: "crlf.txt", multiline: true })).toHaveLength(2);
  expect(await lines({ pattern: "alpha\\r\\nbeta", path: "crlf.txt", multiline: true })).toHaveLength(2);
});

test("a line of an ignore file that is no pattern is passed over", async () => {
  await workspace.write(".gitignore", "{ no pattern [\na.ts\n");
  expect(await content({ pattern: "needle" })).toBe("Found 1 file\nsrc/c.ts");
  expect(await content({ pattern: "nowhere" })).toBe("No files found");
  expect(await content({ pattern: "nowhere", path: "src" })).toBe("No files found");
});

test("matching lines counted per file", async () => {
  expect(await grep({ pattern: "needle", output_mode: "count" })).toEqual({
    content: "a.ts:2\nsrc/c.ts:1\n\n3 matching lines in 2 files",
    structured: {
      mode: "count",
      numFiles: 2,
      filenames: ["a.ts", "src/c.ts"],
      content: "a.ts:2\nsrc/c.ts:1",
      numMatches: 3,
    },
  });
});

describe("parameters of content", () => {
  test("lines around a match are marked with a dash, groups are parted", async () => {
    expect(await lines({ pattern: "needle", path: "a.ts", "-B": 1 })).toEqual([
      "a.ts-1-one",
      "a.ts:2:two needle",
      "--",
      "a.ts-4-four",
      "a.ts:5:five needle needle",
    ]);
    expect(await lines({ pattern: "two", path: "a.ts", "-A": 1 })).toEqual(["a.ts:2:two needle", "a.ts-3-three"]);
    const around = ["a.ts-1-one", "a.ts:2:two needle", "a.ts-3-three"];
    expect(await lines({ pattern: "two", path: "a.ts", "-C": 1 })).toEqual(around);
    expect(await lines({ pattern: "two", path: "a.ts", context: 1 })).toEqual(around);
  });

  test("without numbers, only what matched, without case, across lines", async () => {
    expect(await lines({ pattern: "two", "-n": false })).toEqual(["a.ts:two needle"]);
    expect(await lines({ pattern: "needle", path: "a.ts", "-o": true })).toEqual([
      "a.ts:2:needle",
      "a.ts:5:needle",
      "a.ts:5:needle",
    ]);
    expect(await lines({ pattern: "NEEDLE =", "-i": true })).toEqual(["src/b.py:1:Needle = 1"]);
    expect(await lines({ pattern: "two.*three", multiline: true })).toEqual(["a.ts:2:two needle", "a.ts:3:three"]);
    expect(await content({ pattern: "two.*three" })).toBe("No files found");
  });

  test("a line without numbers that begins with one is no line of context", async () => {
    await workspace.write("log", "2026-01-01 start\n");
    expect(await lines({ pattern: "start", "-n": false })).toEqual(["log:2026-01-01 start"]);
  });

  test("of a very long line the beginning is shown", async () => {
    await workspace.write("min.js", `${"x".repeat(100_000)}needle${"y".repeat(100_000)}\n`);
    const [line = ""] = await lines({ pattern: "needle", path: "min.js" });
    expect(line.startsWith(`min.js:1:${"x".repeat(400)}`)).toBe(true);
    expect(line.length).toBeLessThan(700);
  });
});

describe("where it searches", () => {
  test("by glob, counted from the searched directory, and by type", async () => {
    expect(await content({ pattern: "(?i)needle", glob: "*.py" })).toBe("Found 1 file\nsrc/b.py");
    expect(await content({ pattern: "(?i)needle", glob: "!*.ts" })).toBe("Found 1 file\nsrc/b.py");
    await workspace.write("x/src/deep/d.ts", "needle\n");
    expect(await content({ pattern: "needle", path: "x", glob: "src/**/*.ts" })).toBe("Found 1 file\nx/src/deep/d.ts");
    expect(await content({ pattern: "(?i)needle", type: "py" })).toBe("Found 1 file\nsrc/b.py");
  });

  test("in a directory or a file, also outside the working directory", async () => {
    expect(await content({ pattern: "needle", path: "src" })).toBe("Found 1 file\nsrc/c.ts");
    session = toolSession(workspace.root, { cwd: workspace.path("src") });
    expect(await content({ pattern: "needle" })).toBe("Found 1 file\nc.ts");
    expect(await content({ pattern: "needle", path: "../a.ts" })).toBe(`Found 1 file\n${workspace.path("a.ts")}`);
  });

  test("in hidden files, not in ignored ones or .git, but in an ignored folder that is named", async () => {
    await workspace.write(".gitignore", "dist/\n*.log\n");
    await workspace.write(".git/config", "needle\n");
    await workspace.write(".env", "needle\n");
    await workspace.write("dist/e.js", "needle\n");
    await workspace.write("x.log", "needle\n");
    const { structured } = await grep({ pattern: "needle" });
    expect((structured as { filenames: string[] }).filenames.sort()).toEqual([".env", "a.ts", "src/c.ts"]);
    expect(await content({ pattern: "needle", path: "dist" })).toBe("Found 1 file\ndist/e.js");
    expect(await content({ pattern: "needle", path: "x.log" })).toBe("Found 1 file\nx.log");
  });

  test("B37: a glob narrows the search and brings no ignored file back", async () => {
    await workspace.write(".gitignore", "*.log\nbuilt/\n");
    await workspace.write("x.log", "needle\n");
    await workspace.write("built/y.ts", "needle\n");
    expect(await content({ pattern: "needle", glob: "*.log" })).toBe("No files found");
    expect(await content({ pattern: "needle", glob: "*.{ts,log}" })).toBe("Found 2 files\nsrc/c.ts\na.ts");
    expect(await content({ pattern: "needle", glob: "built/**/*.ts" })).toBe("Found 1 file\nbuilt/y.ts");
    expect(await content({ pattern: "needle", glob: "**/c.*", type: "ts" })).toBe("Found 1 file\nsrc/c.ts");
    expect(await content({ pattern: "needle", glob: "none/**" })).toBe("No files found");
    expect(await content({ pattern: "needle", glob: "src/", output_mode: "count" })).toContain("src/c.ts:1");
  });

  test("a glob that leads out of the searched folder is an error, and both ends are looked at by the rules", async () => {
    const out = await grep({ pattern: "needle", path: "src", glob: "../*.ts" });
    expect(out).toMatchObject({ isError: true, content: expect.stringContaining("leads out of the searched folder") });
    const { touches } = createGrepTool();
    expect(touches({ pattern: "x", path: "a", glob: "b/**/*.ts" })).toEqual([
      { type: "read", path: "a" },
      { type: "read", path: "a/b" },
    ]);
    expect(touches({ pattern: "x", glob: "*.ts" })).toEqual([{ type: "read", path: "." }]);
  });

  test("a named pipe is refused at once, and passed over in a folder", async () => {
    execFileSync("mkfifo", [workspace.path("pipe")]);
    expect(await grep({ pattern: "needle", path: "pipe" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("is no regular file and no directory"),
    });
    expect(await content({ pattern: "needle", glob: "*" })).toBe("Found 2 files\nsrc/c.ts\na.ts");
  });

  test("names with newlines and names that are no UTF-8 stay apart", async () => {
    await mkdir(workspace.path("odd"));
    await workspace.write("odd/two\nlines.txt", "first\nneedle\n");
    execFileSync("bash", ["-c", "printf 'needle\\n' > $'\\xff.txt'"], { cwd: workspace.path("odd") });
    const { content: text, structured } = await grep({
      pattern: "needle",
      path: "odd",
      output_mode: "content",
      "-B": 1,
    });
    expect(String(text).split("\n")).toEqual([
      '"odd/two\\nlines.txt"-1-first',
      '"odd/two\\nlines.txt":2:needle',
      "--",
      "odd/\ufffd.txt:1:needle",
    ]);
    expect(structured).toMatchObject({ filenames: ["odd/two\nlines.txt", "odd/\ufffd.txt"] });
    expect(
      String(await content({ pattern: "needle", path: "odd" }))
        .split("\n")
        .sort(),
    ).toEqual(['"odd/two\\nlines.txt"', "Found 2 files", "odd/\ufffd.txt"]);
  });

  test("a file that is named and holds a NUL says that it is binary", async () => {
    await workspace.write("data.bin", "needle\0x\n");
    const input = { pattern: "needle", path: "data.bin", output_mode: "content" } as const;
    expect(await content(input)).toMatch(/^data\.bin: binary file matches/);
  });

  test("B37: a cycle of links is harmless", async () => {
    await symlink(workspace.root, workspace.path("src/up"));
    expect(await content({ pattern: "needle" })).toBe("Found 2 files\nsrc/c.ts\na.ts");
  });

  test("a pattern that looks like a flag is a pattern, and a configuration of ripgrep changes nothing", async () => {
    await workspace.write("flags", "--files\n");
    await workspace.write("ripgreprc", "--invert-match\n");
    session = toolSession(workspace.root, { env: { RIPGREP_CONFIG_PATH: workspace.path("ripgreprc") } });
    expect(await content({ pattern: "--files" })).toBe("Found 1 file\nflags");
  });
});

describe("what a rule keeps from being read", () => {
  const withRules = (deny: RegExp, ask: RegExp) => ({
    ...session.context,
    readAccess: {
      decide: async () => "allow" as const,
      below: async (folder: string) => (below: string) => {
        expect(folder).toBe(workspace.root);
        return deny.test(below) ? ("deny" as const) : ask.test(below) ? ("ask" as const) : ("open" as const);
      },
    },
  });

  test("is in no name, no line and no count", async () => {
    const context = withRules(/^src\/c/, /never/);
    const inMode = async (output_mode: "content" | "count" | "files_with_matches") =>
      (await createGrepTool().run({ pattern: "needle", output_mode, "-i": true }, context)).content;
    expect(await inMode("files_with_matches")).toBe("Found 2 files\nsrc/b.py\na.ts");
    expect(await inMode("count")).toBe("a.ts:2\nsrc/b.py:1\n\n3 matching lines in 2 files");
    expect(await inMode("content")).not.toContain("src/c.ts");
  });

  test("is counted when a rule only wants to be asked first", async () => {
    const { content: text } = await createGrepTool().run({ pattern: "needle" }, withRules(/never/, /^a/));
    expect(text).toBe(
      "Found 1 file\nsrc/c.ts\n(1 file is left out, since a rule asks before they are read. Read one by its path to ask.)",
    );
  });

  test("is not named by a complaint either", async () => {
    await workspace.write(
      "fake-rg",
      "#!/bin/sh\nprintf './a.ts\\000'; echo 'rg: ./src/c.ts: Permission denied (os error 13)' >&2; exit 2\n",
    );
    await chmod(workspace.path("fake-rg"), 0o755);
    const run = (deny: RegExp) =>
      createGrepTool({ rgPath: workspace.path("fake-rg") }).run({ pattern: "x" }, withRules(deny, /never/));
    expect((await run(/^src/)).content).toBe("Found 1 file\na.ts");
    expect((await run(/never/)).content).toContain(
      "(Not everything could be searched: rg: ./src/c.ts: Permission denied",
    );
  });
});

describe("how much it gives", () => {
  beforeEach(async () => {
    await workspace.write("many", Array.from({ length: 600 }, (_, index) => `entry ${index + 1}\n`).join(""));
  });

  test("250 lines unless told otherwise, and where the next ones begin", async () => {
    const { content: text, structured } = await grep({ pattern: "entry", output_mode: "content" });
    expect(String(text).split("\n").slice(-2)).toEqual([
      "many:250:entry 250",
      "(250 of 600 shown. For the next ones set offset to 250.)",
    ]);
    expect(structured).toMatchObject({ numLines: 250, appliedLimit: 250 });
  });

  test("from an offset, in order", async () => {
    const input = { pattern: "entry", output_mode: "content", head_limit: 2, offset: 598 } as const;
    expect(await grep(input)).toEqual({
      content: "many:599:entry 599\nmany:600:entry 600",
      structured: {
        mode: "content",
        numFiles: 1,
        filenames: ["many"],
        content: "many:599:entry 599\nmany:600:entry 600",
        numLines: 2,
        appliedOffset: 598,
      },
    });
    expect(await content({ ...input, offset: 600 })).toBe("No entries at this offset");
  });

  test("all with a limit of 0; files are limited too", async () => {
    expect(await lines({ pattern: "entry", head_limit: 0 })).toHaveLength(600);
    expect(await content({ pattern: "needle", head_limit: 1 })).toBe(
      "Found 1 file\nsrc/c.ts\n(1 of 2 shown. For the next ones set offset to 1.)",
    );
  });
});

describe("what cannot be done is said", () => {
  test("nothing found", async () => {
    expect(await content({ pattern: "nothing" })).toBe("No files found");
    expect(await content({ pattern: "nothing", output_mode: "content" })).toBe("No matches found");
  });

  test("a bad regular expression, in ripgrep's own words", async () => {
    const result = await grep({ pattern: "fo(" });
    expect(result.isError).toBe(true);
    expect(result.content).toContain("regex parse error");
    expect(result.content).toContain("unclosed group");
  });

  test("look-around and back-references, which the default engine has not, find something", async () => {
    expect(await lines({ pattern: "two (?=needle)", "-o": true })).toEqual(["a.ts:2:two "]);
    expect(await lines({ pattern: "(needle) \\1" })).toEqual(["a.ts:5:five needle needle"]);
  });

  test("a type that ripgrep does not know", async () => {
    expect(await grep({ pattern: "x", type: "klingon" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("unrecognized file type: klingon"),
    });
  });

  test("a path that is not there", async () => {
    const text = `Path does not exist: ${workspace.path("nope")}. Note: your current working directory is ${workspace.root}.`;
    expect(await grep({ pattern: "x", path: "nope" })).toEqual(refusal(text));
  });

  test("ripgrep that is not there", async () => {
    expect(await grep({ pattern: "x" }, { rgPath: "/nowhere/rg" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("ripgrep could not be started"),
    });
  });

  test("a search that takes too long gives what it found and says that there may be more", async () => {
    await workspace.write("slow-rg", "#!/bin/sh\nprintf './a.ts\\0002:two needle\\n./src/c'; sleep 600\n");
    await chmod(workspace.path("slow-rg"), 0o755);
    const options = { rgPath: workspace.path("slow-rg"), timeoutMs: 1_500 };
    const { content: text, structured } = await grep({ pattern: "needle", output_mode: "content" }, options);
    expect(structured).toMatchObject({ timedOut: true, countIsComplete: false });
    expect(text).toMatch(/^a\.ts:2:two needle\nThe search was stopped after \d s: these results are incomplete\./);
  });

  test("an abort", async () => {
    session.abort();
    expect(await grep({ pattern: "x" })).toMatchObject({ isError: true, content: "The search was interrupted." });
  });
});
