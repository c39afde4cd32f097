import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, type EngineOptions } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { type Place, place, turn } from "./engine-harness.ts";

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

async function repository(): Promise<Place & AsyncDisposable> {
  const at = await place({ "a.txt": "one\n" });
  git(at.project.root, "init", "-q", "-b", "main");
  git(at.project.root, "config", "user.email", "ann@example.com");
  git(at.project.root, "config", "user.name", "Ann");
  git(at.project.root, "add", ".");
  git(at.project.root, "commit", "-qm", "first");
  return at;
}

type Call = Parameters<typeof uses>;

/** Runs the calls one after the other, each in an answer of its own, and gives their results' texts. */
async function results(at: Place, calls: readonly Call[], options: EngineOptions = {}): Promise<string[]> {
  const answers = calls.map(([name, input]) => [uses(name, input)]);
  const engine = await createEngine({
    ...{ ...at.options, model: scriptedModel([...answers, says("Done.")]) },
    canUseTool: async () => ({ behavior: "allow" }),
    ...options,
  });
  await turn(engine, "go");
  await engine.close();
  return engine.messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((block) => (block.type === "tool_result" ? [String(block["content"])] : []))
      : [],
  );
}

const enter: Call = ["EnterWorktree", { name: "fix" }];
const bash = (command: string): Call => ["Bash", { command }];
const exit = (action: "keep" | "remove", more = {}): Call => ["ExitWorktree", { action, ...more }];

test("work in a new worktree leaves the user's checkout as it is", async () => {
  await using at = await repository();
  const path = join(at.project.root, ".pawl", "worktrees", "fix");
  const texts = await results(at, [
    enter,
    bash("pwd; git branch --show-current"),
    ["Write", { file_path: "b.txt", content: "two\n" }],
    exit("keep"),
    bash("pwd"),
  ]);
  expect(texts[0]).toContain(`now in the worktree ${path} on branch worktree-fix`);
  expect(texts[1]).toBe(`${path}\nworktree-fix`);
  expect(texts[3]).toBe(`The worktree ${path} is kept. The session is back in ${at.project.root}.`);
  expect(texts[4]).toBe(at.project.root);
  expect([existsSync(join(path, "b.txt")), existsSync(at.project.path("b.txt"))]).toEqual([true, false]);
  expect(git(at.project.root, "status", "--porcelain")).toBe("");
});

test("a worktree without work is removed with its branch", async () => {
  await using at = await repository();
  const texts = await results(at, [enter, exit("remove")]);
  expect(texts[1]).toMatch(/^The worktree .+ and its branch worktree-fix are removed\. The session is back in /);
  expect(git(at.project.root, "worktree", "list").split("\n")).toHaveLength(1);
  expect(git(at.project.root, "branch", "--list", "worktree-fix")).toBe("");
});

describe("a worktree with work is removed only when that is said", () => {
  test.each([
    ["a new file", "touch new", "1 changed or new file"],
    ["a changed file", "echo two >> a.txt", "1 changed or new file"],
    ["a commit", "echo two >> a.txt && git commit -qam second", "1 commit that no other branch has"],
    [
      "a commit of its branch, which it does not stand on any more",
      "echo two >> a.txt && git commit -qam second && git switch -q --detach HEAD~1",
      "1 commit that no other branch has",
    ],
    [
      "a commit on no branch",
      "git switch -q --detach && echo two >> a.txt && git commit -qam second",
      "1 commit that no other branch has",
    ],
  ])("%s", async (_what, command, lost) => {
    await using at = await repository();
    const texts = await results(at, [
      enter,
      bash(command),
      exit("remove"),
      bash("git branch --show-current"),
      exit("remove", { discard_changes: true }),
    ]);
    expect(texts[2]).toContain(`The worktree has ${lost}.`);
    expect(texts[3]).toBe(command.includes("--detach") ? "(Bash completed with no output)" : "worktree-fix");
    expect(texts[4]).toContain("are removed");
    expect(git(at.project.root, "worktree", "list").split("\n")).toHaveLength(1);
  });
});

test("a worktree that is there is entered by its path, and never removed", async () => {
  await using at = await repository();
  git(at.project.root, "worktree", "add", "-q", "-b", "other", "trees/other");
  const texts = await results(at, [["EnterWorktree", { path: "trees/other" }], exit("remove"), exit("keep")]);
  expect(texts[0]).toContain("on branch other");
  expect(texts[1]).toContain("was not made by this session");
  expect(texts[2]).toContain("is kept");
});

test("a session whose folder is gone meanwhile goes back to where it began", async () => {
  await using at = await repository();
  await at.project.write("sub/b.txt", "two\n");
  const gone = bash(`rm -r ${at.project.path("sub")}`);
  const texts = await results(at, [bash("cd sub"), enter, gone, exit("remove"), bash("pwd")]);
  expect(texts[3]).toContain(`are removed. The session is back in ${at.project.root}.`);
  expect(texts[4]).toBe(at.project.root);
});

describe("a worktree whose folder is gone", () => {
  const lose = (at: Place) => bash(`rm -r ${join(at.project.root, ".pawl", "worktrees", "fix")}`);
  const nowhere = "<tool_use_error>The session is in no worktree: there is nothing to go back from.</tool_use_error>";

  test("is forgotten with its branch, and its name is free again", async () => {
    await using at = await repository();
    const texts = await results(at, [enter, lose(at), exit("remove"), exit("remove"), enter]);
    expect(texts[2]).toMatch(/ was gone already, and its branch worktree-fix is removed\. The session is back in /);
    expect(texts[3]).toBe(nowhere);
    expect(texts[4]).toContain("now in the worktree");
  });

  test("leaves a branch that has work; kept, it is told to be gone, and is not entered again", async () => {
    await using at = await repository();
    const work = bash("echo two >> a.txt && git commit -qam second");
    const removed = await results(at, [enter, work, lose(at), exit("remove")]);
    expect(removed[3]).toContain("Its branch worktree-fix is kept: it has 1 commit that no other branch has.");
    git(at.project.root, "branch", "-D", "worktree-fix");

    const path = join(at.project.root, ".pawl", "worktrees", "fix");
    const kept = await results(at, [enter, lose(at), exit("keep"), exit("keep"), enter, ["EnterWorktree", { path }]]);
    expect(kept[2]).toContain("is gone. Its branch worktree-fix is kept.");
    expect(kept[3]).toBe(nowhere);
    expect(kept.slice(4)).toEqual([
      expect.stringContaining('"fix" is gone, but git still knows of it: have git worktree prune forget it'),
      expect.stringContaining("is gone, but git still knows of it"),
    ]);
  });
});

test("a repository without a commit says what it needs", async () => {
  await using at = await place();
  git(at.project.root, "init", "-q");
  expect(await results(at, [enter])).toEqual([expect.stringContaining("no commit yet to make a worktree of")]);
});

test("a resumed session stands in its worktree and can go back", async () => {
  await using at = await repository();
  const sessionId = "3f2b8c1e-5d64-4a7b-9c0d-1e2f3a4b5c6d";
  await results(at, [enter], { sessionId });
  const texts = await results(at, [bash("git branch --show-current"), exit("remove")], { resume: sessionId });
  expect(texts.slice(-2)).toEqual(["worktree-fix", expect.stringContaining("are removed")]);
});

test("no hook of the repository runs", async () => {
  await using at = await repository();
  await at.project.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\n");
  await chmod(at.project.path(".git/hooks/post-checkout"), 0o755);
  await results(at, [enter, exit("remove")]);
  expect(existsSync(at.project.path("ran"))).toBe(false);
});

describe("what cannot be done is said", () => {
  test.each<[what: string, calls: readonly Call[], text: RegExp]>([
    [
      "a name that leads out",
      [["EnterWorktree", { name: "../out" }]],
      /^<tool_use_error>"\.\.\/out" is no name for a worktree/,
    ],
    ["a name that is a flag", [["EnterWorktree", { name: "-b" }]], /is no name for a worktree/],
    ["a name that git would refuse", [["EnterWorktree", { name: "a.lock" }]], /is no name for a worktree/],
    ["a name and a path", [["EnterWorktree", { name: "a", path: "b" }]], /not both\.<\/tool_use_error>$/],
    [
      "a path that is no worktree",
      [["EnterWorktree", { path: "." }]],
      /is no worktree of the repository .+ It has none\.<\/tool_use_error>$/,
    ],
    [
      "a second worktree at once",
      [enter, ["EnterWorktree", { name: "b" }]],
      /is in the worktree .+ already: ExitWorktree first\.<\/tool_use_error>$/,
    ],
    [
      "a name that is taken",
      [enter, exit("keep"), enter],
      /^<tool_use_error>There is a worktree "fix" already: give the path \/.+\/fix to enter it, or another name to make a new one\.<\/tool_use_error>$/,
    ],
    [
      "a name whose branch is left",
      [bash("git branch worktree-fix"), enter],
      /^<tool_use_error>There is a branch worktree-fix already, without a worktree here: give another name\.<\/tool_use_error>$/,
    ],
    ["going back from nowhere", [exit("keep")], /^<tool_use_error>The session is in no worktree/],
  ])("%s", async (_what, calls, text) => {
    await using at = await repository();
    expect((await results(at, calls)).at(-1)).toMatch(text);
  });

  test("no repository", async () => {
    await using at = await place();
    expect((await results(at, [enter])).at(-1)).toMatch(
      /^<tool_use_error>There is no git repository to make a worktree of: .*not a git repository/,
    );
  });

  test("nobody to ask", async () => {
    await using at = await repository();
    const { canUseTool: _, ...options }: EngineOptions = at.options;
    const engine = await createEngine({ ...options, model: scriptedModel([[uses("EnterWorktree", {})], says("ok")]) });
    const { result } = await turn(engine, "go");
    await engine.close();
    expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual(["EnterWorktree"]);
  });

  test("in plan mode, whatever a rule allows", async () => {
    await using at = await repository();
    const more = { permissionMode: "plan", allowedTools: ["EnterWorktree"] } as const;
    const model = scriptedModel([[uses("EnterWorktree", { name: "early" })], says("ok")]);
    const engine = await createEngine({ ...at.options, ...more, model });
    const { result } = await turn(engine, "go");
    await engine.close();
    expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual(["EnterWorktree"]);
    expect(git(at.project.root, "branch", "--list", "worktree-early")).toBe("");
  });
});
