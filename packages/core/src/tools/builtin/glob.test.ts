import { chmod, symlink, utimes } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ToolSession, toolSession } from "../../../test/support/tool-session.ts";
import { type TempWorkspace, tempWorkspace } from "../../testing/temp-workspace.ts";
import { refusal } from "./error-result.ts";
import { createGlobTool, type GlobOptions } from "./glob.ts";

let workspace: TempWorkspace;
let session: ToolSession;

/** Oldest first, a second apart. */
async function files(...names: string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await workspace.write(name, "");
    await utimes(workspace.path(name), 1_700_000_000 + index, 1_700_000_000 + index);
  }
}

beforeEach(async () => {
  workspace = await tempWorkspace();
  session = toolSession(workspace.root);
});

afterEach(() => workspace.remove());

const glob = (pattern: string, path?: string, options: GlobOptions = {}) =>
  createGlobTool(options).run(path === undefined ? { pattern } : { pattern, path }, session.context);

async function found(pattern: string, path?: string, options: GlobOptions = {}): Promise<string[]> {
  const { structured } = await glob(pattern, path, options);
  return (structured as { filenames: string[] }).filenames;
}

test("files are given newest first, with the count", async () => {
  await files("a.ts", "src/b.ts", "src/deep/c.ts", "d.js");
  expect(await glob("**/*.ts")).toEqual({
    content: "src/deep/c.ts\nsrc/b.ts\na.ts",
    structured: {
      durationMs: expect.any(Number),
      numFiles: 3,
      filenames: ["src/deep/c.ts", "src/b.ts", "a.ts"],
      truncated: false,
      totalMatches: 3,
      countIsComplete: true,
    },
  });
});

describe("a pattern matches as shells and build tools do", () => {
  test.each([
    ["*.ts", ["a.ts"]],
    ["./*.ts", ["a.ts"]],
    ["src/*.ts", ["src/b.ts"]],
    ["src/**/*.ts", ["src/deep/c.ts", "src/b.ts"]],
    ["**/deep/*", ["src/deep/c.ts"]],
    ["{a,d}.*", ["d.js", "a.ts"]],
    ["src/b.ts", ["src/b.ts"]],
    ["src/[id].tsx", ["src/[id].tsx"]],
    ["src/../*.js", ["d.js"]],
    ["**/.*/**", [".github/x.yml"]],
    ["none/**", []],
  ])("%s", async (pattern, expected) => {
    await files("a.ts", "src/b.ts", "src/deep/c.ts", "d.js", "src/[id].tsx", ".github/x.yml");
    expect(await found(pattern)).toEqual(expected);
  });

  test("in another directory, by path or as an absolute pattern", async () => {
    await files("a.ts", "src/b.ts");
    expect(await found("*.ts", "src")).toEqual(["src/b.ts"]);
    expect(await found("*.ts", workspace.path("src"))).toEqual(["src/b.ts"]);
    expect(await found(`${workspace.root}/src/*.ts`)).toEqual(["src/b.ts"]);
    session = toolSession(workspace.root, { cwd: workspace.path("src") });
    expect(await found("*.ts", "..")).toEqual([workspace.path("a.ts")]);
  });
});

test("at most 100 are given, and it is said how many there are", async () => {
  await files(...Array.from({ length: 120 }, (_, index) => `f${index}.txt`));
  const { content, structured } = await glob("*.txt");
  expect(structured).toMatchObject({ numFiles: 100, totalMatches: 120, truncated: true, countIsComplete: true });
  expect(content).toContain("f119.txt\nf118.txt");
  expect(content).toMatch(/\(The newest 100 of 120 files; a narrower pattern shows the others\.\)$/);
});

test("ignored files and the insides of .git are not listed, unless the pattern names the folder or all are asked for", async () => {
  await files(".git/config", ".gitignore", "dist/a.js", "debug.log", "src/a.js", "src/keep.txt");
  await workspace.write(".gitignore", "dist/\n*.log\n");
  expect((await found("**/*.{js,log}")).sort()).toEqual(["src/a.js"]);
  expect(await found("**/config")).toEqual([]);
  expect(await found("dist/*.js")).toEqual(["dist/a.js"]);
  expect((await found("**/*.{js,log}", undefined, { noIgnore: true })).sort()).toEqual([
    "debug.log",
    "dist/a.js",
    "src/a.js",
  ]);
});

test("B37: a cycle of links is harmless, and the walk stays where the pattern begins", async () => {
  await files("src/a.ts", "other/b.ts");
  await symlink(workspace.root, workspace.path("src/up"));
  await symlink(workspace.path("src"), workspace.path("src/self"));
  expect(await found("src/**/*.ts")).toEqual(["src/a.ts"]);
  expect(createGlobTool().touches({ pattern: "src/**/*.ts" })).toEqual([{ type: "read", path: "src" }]);
  expect(createGlobTool().touches({ pattern: "*.ts", path: "/etc" })).toEqual([{ type: "read", path: "/etc" }]);
  expect(createGlobTool().touches({ pattern: "/etc/**" })).toEqual([{ type: "read", path: "/etc" }]);
});

test("what a rule keeps from being read is in no name and no count", async () => {
  await files("a.ts", "secret.ts", "asked.ts");
  const readAccess = {
    decide: async () => "allow" as const,
    below: async () => (below: string) =>
      below === "secret.ts" ? ("deny" as const) : below === "asked.ts" ? ("ask" as const) : ("open" as const),
  };
  const { content, structured } = await createGlobTool().run({ pattern: "*.ts" }, { ...session.context, readAccess });
  expect(content).toBe(
    "a.ts\n(1 file is left out, since a rule asks before they are read. Read one by its path to ask.)",
  );
  expect(structured).toMatchObject({ filenames: ["a.ts"], totalMatches: 1 });
});

test("a flood of names is bounded: what was found by then comes back and is marked", async () => {
  const name = `${"some-long-folder/".repeat(4)}name.ts`;
  const bytes = 18 * 1024 * 1024;
  await workspace.write("flooding-rg", `#!/bin/sh\nyes ${name} | tr '\\n' '\\000' | head -c ${bytes}\n`);
  await chmod(workspace.path("flooding-rg"), 0o755);
  const { content, structured } = await glob("**/*.ts", undefined, { rgPath: workspace.path("flooding-rg") });
  expect(structured).toMatchObject({ numFiles: 100, truncated: true, countIsComplete: false });
  expect(content).toMatch(/\(By path the first 100 of \d+ files;/);
  expect(content).toContain("Too much was found to list: these results are incomplete.");
}, 60_000);

test("a name with a newline is quoted on its line and given as it is beside", async () => {
  await files("two\nlines.ts");
  expect(await glob("*.ts")).toMatchObject({
    content: '"two\\nlines.ts"',
    structured: { filenames: ["two\nlines.ts"] },
  });
});

describe("what cannot be done is said", () => {
  test("nothing found", async () => {
    expect((await glob("*.none")).content).toBe("No files found");
  });

  test("a directory that is not there", async () => {
    const text = `Directory does not exist: ${workspace.path("nope")}. Note: your current working directory is ${workspace.root}.`;
    expect(await glob("*", "nope")).toEqual(refusal(text));
  });

  test("an empty pattern", async () => {
    expect(await glob("")).toMatchObject({ isError: true, content: expect.stringContaining("The pattern is empty") });
  });

  test("ripgrep that is not there", async () => {
    expect(await glob("*", undefined, { rgPath: "/nowhere/rg" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("ripgrep could not be started: The program /nowhere/rg was not found."),
    });
  });

  test("an abort", async () => {
    session.abort();
    expect(await glob("*")).toMatchObject({ isError: true, content: "The search was interrupted." });
  });

  test("a search that takes too long", async () => {
    const { structured, content } = await glob("*.ts", undefined, { rgPath: await slowRipgrep(), timeoutMs: 1_500 });
    expect(content).toMatch(/^a\.ts\nThe search was stopped after \d s: these results are incomplete\./);
    expect(structured).toMatchObject({ filenames: ["a.ts"], timedOut: true, countIsComplete: false });
  });
});

/** A program that finds one file and then hangs. */
async function slowRipgrep(): Promise<string> {
  await workspace.write("slow-rg", "#!/bin/sh\nprintf 'a.ts\\0b.'; sleep 600\n");
  await chmod(workspace.path("slow-rg"), 0o755);
  return workspace.path("slow-rg");
}
