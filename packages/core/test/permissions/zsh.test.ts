import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../src/shell/child-env.ts";
import { commandTable } from "./command-table.ts";
import { dailyCommands } from "./daily-commands.ts";
import { treeState } from "./jail.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const hasZsh = spawnSync("zsh", ["-fc", "true"]).status === 0;

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

/** `%{` stands for an expansion's beginning. */
const written = (line: string) => line.replaceAll("%", "$");

describe("what zsh would run or write and bash would not is asked about", () => {
  test.each([
    ["ls *(e:'touch made':)"],
    ["ls a(e:'touch made':)"],
    ["ls (#qe:'touch made':)"],
    ["ls (  #qe:'touch made':)"],
    ["echo 'a\\' (#qe:'touch made':) 'b'"],
    ['echo "$x" (#qe:\'touch made\':) "y"'],
    ['echo "$(date)" (#qe:\'touch made\':) "y"'],
    ["cat <<X\nit's\nX\nls (#qe:'touch made':)"],
    ["echo %{x:-*(e:'touch made':)}"],
    ["echo %{x:-a(e:'touch made':)}"],
    ["echo %{x:-%{y:-a(e:'touch made':)}}"],
    ["echo %{x/a/b(e:'touch made':)}"],
    ["for x in \"*(e:'touch made':)\"; do echo $~x; done"],
    ["for x in \"*(e:'touch made':)\"; do echo %{~x}; done"],
    ["echo %{(e)x}"],
    ["echo %{:-$(touch made)}"],
    ["cat =(touch made)"],
    ["diff =(touch made) notes.txt"],
    ["=ls"],
    ["cat <->"],
    ["> made"],
    ["ls > made > also"],
    ["nocorrect touch made"],
    ["- touch made"],
    ["for f (a b) touch $f"],
    ["if [[ -e README.md ]] { touch made }"],
    ["{ ls } always { touch made }"],
    ["() { touch made }"],
    ["function { touch made }"],
    ["a b () touch made"],
    ["alias -g G='| sh'"],
    ["emulate sh -c 'touch made'"],
    ["ls >! made"],
    ["ls &>! made"],
    ["ls > >(touch made)"],
    ["print -z touch made"],
    ["repeat 2 touch made"],
    ["zmv a b"],
  ])("%s", async (line) => {
    expect((await workspace.decide(written(line))).behavior).toBe("ask");
    expect(
      (await workspace.decide(written(line), "allow Bash(ls *); allow Bash(echo *); allow Bash(cat *)")).behavior,
    ).toBe("ask");
  });
});

test.each(["echo =ls", "cat ~[x]/y", "cat ~+/../x"])("alone, %s is asked about too", async (line) => {
  expect((await workspace.decide(line)).behavior).toBe("ask");
});

test.each([
  ['echo "fix (#12)"'],
  ["grep -rn '(#' src"],
  ['echo "it\'s (#1)" b'],
  ['echo %{x:-"(none)"}'],
  ["ls # (#x"],
  ["echo \\(#"],
])("a bracket in quotes or a comment is none: %s", async (line) => {
  expect((await workspace.decide(written(line))).behavior).toBe("allow");
});

test.runIf(hasZsh)(
  "what is allowed as reading changes no file under zsh either",
  async () => {
    const table = commandTable.filter(({ answer, rules }) => answer === "allow" && rules === "");
    const lines = table.flatMap(({ lines }) => lines.split("\n")).map((line) => line.replaceAll("⏎", "\n"));
    const all = [...dailyCommands, ...lines.filter((line) => line !== "")];
    const step = isLong ? 1 : 12;
    const before = await treeState(workspace.root);
    const changed: string[] = [];
    let ran = 0;
    for (let at = 0; at < all.length; at += step) {
      const line = all[at] ?? "";
      if ((await workspace.decide(line)).behavior !== "allow") continue;
      ran++;
      const env = { ...childEnvironment({ PATH: process.env["PATH"], HOME: join(workspace.root, "home") }, false) };
      spawnSync("zsh", ["-fc", line], {
        cwd: workspace.cwd,
        env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
        input: "",
        timeout: 20_000,
      });
      if ((await treeState(workspace.root)) !== before) changed.push(line);
    }
    expect(changed).toEqual([]);
    expect(ran).toBeGreaterThan(isLong ? 300 : 25);
  },
  isLong ? 1_800_000 : 60_000,
);
