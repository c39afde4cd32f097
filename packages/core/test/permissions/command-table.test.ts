import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "./command-table.ts";
import { dailyCommands, reachingCommands } from "./daily-commands.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("⏎", "\n"));

test("the table is large", () => {
  const lines = commandTable.flatMap(({ lines }) => linesOf(lines));
  expect(new Set(lines).size).toBeGreaterThanOrEqual(400);
});

describe.each(commandTable)("$answer in mode $mode with [$rules]", ({ rules, mode, answer, lines }) => {
  test("every line", async () => {
    const wrong: string[] = [];
    for (const line of linesOf(lines)) {
      const { behavior } = await workspace.decide(line, rules, mode);
      if (behavior !== answer) wrong.push(`${behavior}: ${line}`);
    }
    expect(wrong).toEqual([]);
  });
});

test.each(["ls\u00a0-la", "ls\u2003", "l\rs", "ls\r\nrm x", "echo a\u0007", "ls\u0000", "ls\u2028rm x", "ls\v-la"])(
  "blanks and control characters that shells read differently are asked about: %j",
  async (line) => {
    expect((await workspace.decide(line, "allow Bash(ls *)")).behavior).toBe("ask");
    expect((await workspace.decide(line, "deny Bash(rm *)", "bypassPermissions")).behavior).toBe("ask");
  },
);

test("of what people run daily to look around nearly all runs unasked", async () => {
  const asked: string[] = [];
  for (const line of dailyCommands) if ((await workspace.decide(line)).behavior !== "allow") asked.push(line);
  expect(new Set(dailyCommands).size).toBe(dailyCommands.length);
  expect(dailyCommands.length).toBeGreaterThanOrEqual(400);
  expect(asked.length / dailyCommands.length).toBeLessThan(0.05);
  expect(asked).toEqual([
    "python3 --version", // where a version manager stands in for it, it starts a dozen others
    "less README.md", // what `LESSOPEN` names is started
    "awk -F: '{print $1, $3}' /etc/passwd",
    "grep -rl useState src | xargs grep -n useEffect", // a name with a blank in it becomes two
    "ag TODO src",
    "git diff --no-index a.txt b.txt",
    "python --version",
    "python3 -V",
    "ruby -v",
    "yq '.services' docker-compose.yml", // two programs have this name
    "xmllint --format pom.xml",
    "help cd",
    "for b in $(git branch --format='%(refname:short)'); do git log -1 --format=\"%h $b\" $b; done",
    "find . -name '*.ts' | while read -r f; do wc -l \"$f\"; done",
    'git ls-files \'*.ts\' | while read f; do echo "$(git log --oneline -- "$f" | wc -l) $f"; done | sort -rn | head',
    "git ls-files | xargs wc -l | tail -1",
    "git ls-files | grep -E '\\.ts$' | xargs grep -l TODO",
    "wc -l $(git ls-files '*.ts') | tail -1",
    "tokei",
  ]);
});

test("what only seems to look is asked about", async () => {
  for (const line of reachingCommands) expect([line, (await workspace.decide(line)).behavior]).toEqual([line, "ask"]);
});
