import { expect, test } from "vitest";
import { resultsOf, Workspace } from "./support/pawl.ts";

/** Long enough that a test which waits for it fails. */
const sleeper = { tool: "Bash", input: { command: "sleep 60" } };
const json = ["--output-format", "stream-json", "--allowedTools", "Bash, Glob"];

test("--max-duration ends a turn in the middle of a call, which ends with it", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [sleeper] }, { answer: [{ text: "Never." }] }]);

  const { code, stdout } = await workspace.run(["-p", "Go.", "--max-duration", "1s", ...json, ...model]);

  expect(code).toBe(1);
  expect(resultsOf(stdout)).toMatchObject([
    {
      subtype: "error_max_budget_usd",
      terminal_reason: "budget_exhausted",
      errors: ["Reached the time that a turn may take (1 s)"],
    },
  ]);
});

test("--max-tool-calls refuses the call beyond it and ends the turn", async () => {
  await using workspace = await Workspace.create();
  const calls = ["a", "b"].map((pattern) => ({ answer: [{ tool: "Glob", input: { pattern } }] }));
  const model = await workspace.plays([...calls, { answer: [{ text: "Never." }] }]);

  const { code, stdout } = await workspace.run(["-p", "Go.", "--max-tool-calls", "1", ...json, ...model]);

  expect(code).toBe(1);
  expect(resultsOf(stdout)).toMatchObject([{ errors: ["Reached maximum number of tool calls (1)"] }]);
  expect(stdout).toContain("limit of 1 tool calls");
});
