import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "./command-table.ts";
import { dailyCommands } from "./daily-commands.ts";
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
  expect(dailyCommands.length).toBeGreaterThanOrEqual(150);
  expect(asked).toEqual(["python3 --version"]); // where a version manager stands in for it, it starts a dozen others
});
