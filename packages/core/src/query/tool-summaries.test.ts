import { expect, test } from "vitest";
import { runTurn } from "../../test/support/turn-harness.ts";
import { says, scriptedModel, uses } from "../testing/scripted-model.ts";
import type { QueryDeps } from "./deps.ts";

const rounds = (count: number) => [
  ...Array.from({ length: count }, (_, n) => [uses("Read", { n }), uses("Glob", { n })]),
  says("Done."),
];

const storyOf = ({ events }: Awaited<ReturnType<typeof runTurn>>) =>
  events.flatMap((event) => {
    if (event.type === "request_start") return [`request ${event.round}`];
    return event.type === "tool_use_summary" ? [`${event.summary} (${event.toolUseIds.join(", ")})`] : [];
  });

test("a summary joins on a later iteration, with the calls that it is of, and is no part of the conversation", async () => {
  const turn = await runTurn({
    model: scriptedModel(rounds(2)),
    summarizeToolUse: async (calls, results) => `${calls.map(({ name }) => name).join(" and ")}: ${results.length}`,
  });

  expect(storyOf(turn)).toEqual([
    "request 0",
    "request 1",
    "Read and Glob: 2 (toolu_0_0, toolu_0_1)",
    "request 2",
    "Read and Glob: 2 (toolu_1_0, toolu_1_1)",
  ]);
  expect(JSON.stringify([turn.messages, turn.journal])).not.toContain("Read and Glob");
});

test("a summary that never comes delays nothing, and is ended with the turn; beyond four open ones none is begun", async () => {
  const signals: AbortSignal[] = [];
  const never: QueryDeps["summarizeToolUse"] = (_calls, _results, signal) => {
    signals.push(signal);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("too late")));
  };
  const turn = await runTurn({ model: scriptedModel(rounds(8)), summarizeToolUse: never });

  expect(turn.terminal).toEqual({ reason: "completed" });
  expect(storyOf(turn)).toEqual(Array.from({ length: 9 }, (_, round) => `request ${round}`));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
});

test("a summary that fails or is empty is left out", async () => {
  const results = [Promise.reject(new Error("no")), Promise.resolve(null), Promise.resolve("")];
  for (const result of results) result.catch(() => {});
  const turn = await runTurn({
    model: scriptedModel(rounds(3)),
    summarizeToolUse: async () => (await results.shift()) ?? null,
  });

  expect(storyOf(turn)).toEqual(["request 0", "request 1", "request 2", "request 3"]);
});
