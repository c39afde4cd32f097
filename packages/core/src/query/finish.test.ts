import { expect, test } from "vitest";
import { runTurn } from "../../test/support/turn-harness.ts";
import { says, scriptedModel, uses } from "../testing/scripted-model.ts";
import type { StopVerdict } from "./deps.ts";

test("a model that ends is held up by stop hooks, then by the output that is missing, then by its budget", async () => {
  const verdicts: StopVerdict[] = [{ type: "block", reasons: ["Run the tests."] }];
  const open = [true];
  const model = scriptedModel([says("a"), says("b"), uses("Out"), says("c")]);

  const turn = await runTurn({
    model,
    config: { taskBudget: 100, structuredOutput: { toolName: "Out", maxRetries: 5 } },
    runTool: async () => ({ type: "done", result: { content: "taken", structured: 7 } }),
    stopHooks: async () => verdicts.shift() ?? { type: "pass" },
    hasOpenWork: () => open.shift() ?? false,
  });

  expect(turn.transitions).toEqual([
    { type: "stop_hook_blocking" },
    { type: "structured_output_retry", attempt: 1 },
    { type: "budget_continue", attempt: 1 },
  ]);
  expect(turn.terminal).toEqual({ reason: "completed", structuredOutput: 7 });
  expect(turn.requests).toBe(4);
});

test("a stop hook that prevents going on holds the turn without its output", async () => {
  const turn = await runTurn({
    model: scriptedModel([says("Done.")]),
    config: { structuredOutput: { toolName: "Out", maxRetries: 5 } },
    stopHooks: async () => ({ type: "prevent", reason: "wait" }),
  });

  expect(turn.terminal).toEqual({ reason: "stop_hook_prevented" });
});

test("rounds that a model is sent back for count as rounds", async () => {
  const turn = await runTurn({
    model: scriptedModel([says("a"), says("b")]),
    config: { maxTurns: 2, structuredOutput: { toolName: "Out", maxRetries: 5 } },
  });

  expect(turn.terminal).toEqual({ reason: "max_turns", limit: 2 });
});
