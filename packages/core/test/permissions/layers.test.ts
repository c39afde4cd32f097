import { afterAll, beforeAll, expect, test } from "vitest";
import { filesWritten } from "../../src/permissions/command-files.ts";
import { namesOnlyIn } from "../../src/permissions/command-path.ts";
import { criticalRemoval } from "../../src/permissions/critical-removal.ts";
import { judgedAnalysis } from "../../src/permissions/free.ts";
import { patternAllows, patternHits } from "../../src/permissions/match-command.ts";
import { protectedPart } from "../../src/permissions/protected-path.ts";
import { analyzeCommand } from "../../src/shell/analysis/analyze-command.ts";
import { parseShell } from "../../src/shell/analysis/parse-shell.ts";
import { readsOnly } from "../../src/shell/analysis/read-only/verdict.ts";
import { programOf, withStarted } from "../../src/shell/analysis/simple-command.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

/** Each layer on its own: what it stops, nothing else of the defence being asked. */
let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

test("length: a harmless command that is over-long is not judged", () => {
  expect(judgedAnalysis(`echo ${"x".repeat(9_990)}`)).toBeDefined();
  expect(judgedAnalysis(`echo ${"x".repeat(10_000)}`)).toBeUndefined();
});

test("grammar: what is not well-formed, or not to all shells, is not read", () => {
  expect(parseShell("echo 'x")).toMatchObject({ errors: [expect.anything()] });
  expect(parseShell("l\u00a0s")).toEqual({ failure: "it has control characters or unusual blanks" });
  expect(parseShell("x".repeat(100_001))).toEqual({ failure: "it is too long to be read" });
});

test("unwrapping: what is run is found behind everything that runs it", () => {
  const line = "A=1 timeout 5 env B=2 bash -c 'echo $(find . -exec nice rm {} +)'";
  expect(withStarted(analyzeCommand(line).commands).map(programOf)).toEqual([
    "timeout",
    "env",
    "bash",
    "find",
    "nice",
    "rm",
    "echo",
  ]);
});

test("reading only: by command and flags, without paths and rules", () => {
  const isReading = (line: string) =>
    withStarted(analyzeCommand(line).commands).every((each) => readsOnly(each) !== undefined);
  expect(["sort /etc/passwd", "cat /", "git log", "find / -name x"].map(isReading)).toEqual([true, true, true, true]);
  expect(["sort -o x y", "tee x", "git push", "find / -delete"].map(isReading)).toEqual([false, false, false, false]);
});

test("paths: where files lie, without looking at the command", async () => {
  const context = workspace.contextOf("", "bypassPermissions");
  const lies = (path: string) => namesOnlyIn({ path, isGlob: false }, [workspace.cwd], context);
  expect(await Promise.all(["src", "../ws/src", "..", "~", "../ws-beside"].map(lies))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("protected places and critical removals, without rules and mode", async () => {
  const context = workspace.contextOf("allow Bash", "bypassPermissions");
  const written = filesWritten(analyzeCommand("true && cd .git && cp x hooks/y > ../.npmrc")).map(
    (path) => path?.path ?? "",
  );
  const parts = written.map((path) => protectedPart({ lexical: `/w/${path}`, real: [], platform: "linux" }));
  expect(parts).toEqual([".git", ".git", ".git"]); // `.git/../.npmrc` in the path as written: any form counts
  expect(await criticalRemoval("true && sudo rm -rf /", context)).toBe("/");
});

test("rules: patterns against commands, without the modes", () => {
  const analysis = analyzeCommand("ls && rm -rf x");
  expect(patternHits("rm *", "", analysis)).toBe("yes");
  expect(analysis.commands.map((command) => patternAllows("ls *", command))).toEqual([true, false]);
});

test("modes: the same unlisted command, without a rule", async () => {
  const answers = [];
  for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const) {
    answers.push((await workspace.decide("make", "", mode)).behavior);
  }
  expect(answers).toEqual(["ask", "ask", "ask", "deny", "allow"]);
});
