import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { EngineOptions } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
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
import { oneTurn, place } from "../scenarios/engine-harness.ts";
import { isAlive } from "../support/is-alive.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

/** Each layer on its own: what it stops, nothing else of the defence being asked. */
let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

/** One call of Bash in a session that lets everything through but what `options` say; whether it made the file `m`. */
async function runs(input: Record<string, unknown>, options: Partial<EngineOptions> = {}) {
  await using at = await place();
  const model = scriptedModel([uses("Bash", input), says("Done.")]);
  await oneTurn({ ...at.options, permissionMode: "bypassPermissions", model, ...options });
  return existsSync(at.project.path("m"));
}

test("schema: an input with a wrong or an unknown field runs nothing", async () => {
  expect(await runs({ command: "touch m" })).toBe(true);
  expect(await runs({ command: ["touch m"] })).toBe(false);
  expect(await runs({ command: "touch m", timeout: "soon" })).toBe(false);
  expect(await runs({ command: "touch m", shell: "zsh" })).toBe(false);
});

test("length: a harmless command that is over-long is not judged", () => {
  expect(judgedAnalysis(`echo ${"x".repeat(9_990)}`)).toBeDefined();
  expect(judgedAnalysis(`echo ${"x".repeat(10_000)}`)).toBeUndefined();
});

test("grammar: what is not well-formed, or not to all shells, is not read", () => {
  expect(parseShell("echo 'x")).toMatchObject({ errors: [expect.anything()] });
  expect(parseShell("l\u00a0s")).toEqual({ failure: "it has control characters or unusual blanks" });
  expect(parseShell("x".repeat(100_001))).toEqual({ failure: "it is too long to be read" });
});

test("grammar: what cannot be read is asked about, though a rule allows its beginning", async () => {
  const decide = async (line: string) => (await workspace.decide(line, "allow Bash(echo *)")).behavior;
  expect(await Promise.all(["echo x", "echo 'x", "echo l\u00a0s", "echo $(("].map(decide))).toEqual([
    "allow",
    "ask",
    "ask",
    "ask",
  ]);
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

test("classifier: what no rule speaks of is its answer", async () => {
  const answers = (type: "allow" | "block") => ({
    permissionMode: "auto" as const,
    classify: async () => ({ type, reason: "so it says" }),
  });
  expect(await runs({ command: "touch m" }, answers("allow"))).toBe(true);
  expect(await runs({ command: "touch m" }, answers("block"))).toBe(false);
});

test("user: what nothing else settles is their answer", async () => {
  const answers = (canUseTool: EngineOptions["canUseTool"]): Partial<EngineOptions> => ({
    permissionMode: "default",
    ...(canUseTool === undefined ? {} : { canUseTool }),
  });
  const input = { command: "touch m" };
  expect(
    await runs(
      input,
      answers(async () => ({ behavior: "allow", updatedInput: input })),
    ),
  ).toBe(true);
  expect(
    await runs(
      input,
      answers(async () => ({ behavior: "deny", message: "no" })),
    ),
  ).toBe(false);
  expect(await runs(input, answers(undefined))).toBe(false);
});

test("owned tree: what a command leaves behind when it is stopped is ended with it", async () => {
  await using at = await place();
  const command = "setsid sleep 600 & echo $! > left; sleep 600";
  const model = scriptedModel([uses("Bash", { command, timeout: 1_500 }), says("Done.")]);
  const settings = { ...at.options, permissionMode: "bypassPermissions" as const, model };
  await oneTurn({ ...settings, env: { ...at.options.env, PAWL_DISABLE_BACKGROUND_TASKS: "1" } });
  const left = Number(await readFile(at.project.path("left"), "utf8"));
  expect(left).toBeGreaterThan(1);
  expect(isAlive(left)).toBe(false);
});
