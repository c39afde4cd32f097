import { describe, expect, test } from "vitest";
import type { ToolUseId } from "../messages/message.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import type { WantedOutput } from "./config.ts";
import { initialState } from "./state.ts";
import { outputAtEnd, outputOfCalls } from "./structured-output.ts";

const wanted: WantedOutput = { toolName: "Out", maxRetries: 2 };
const config = { structuredOutput: wanted };
const state = initialState([], null);
const call = (name: string) => ({ id: name as ToolUseId, name, input: {} });
const fits = (structured: unknown): ToolOutcome => ({ type: "done", result: { content: "taken", structured } });
const wrong: ToolOutcome = { type: "invalid", message: "wrong" };

describe("after the calls of an answer", () => {
  test("the last output that fits counts, and is the last word when nothing else was called", () => {
    const given = { ...state, output: { value: 2 } };
    const outs = [call("Out"), call("Out"), call("Out")];

    expect(outputOfCalls(outs, [fits(1), fits(2), wrong], state, config)).toEqual({
      type: "given",
      state: given,
      isLastWord: true,
    });
    expect(outputOfCalls([call("Read"), call("Out")], [fits("a file"), fits(2)], state, config)).toEqual({
      type: "given",
      state: given,
      isLastWord: false,
    });
  });

  test("output of nothing, such as null, is output", () => {
    expect(outputOfCalls([call("Out")], [fits(null)], state, config)).toMatchObject({
      type: "given",
      state: { output: { value: null } },
    });
  });

  test("other calls are no miss, and without a wanted output nothing is", () => {
    expect(outputOfCalls([call("Read")], [wrong], state, config)).toEqual({ type: "none" });
    expect(outputOfCalls([call("Out")], [wrong], state, {})).toEqual({ type: "none" });
    expect(outputAtEnd(state, {})).toEqual({ type: "none" });
  });
});

test("misses of both kinds count together, up to the bound", () => {
  const first = outputOfCalls([call("Out")], [wrong], state, config);
  if (first.type !== "retry") throw new Error(first.type);
  const second = outputAtEnd(first.state, config);
  if (second.type !== "retry") throw new Error(second.type);

  expect([first.attempt, second.attempt]).toEqual([1, 2]);
  expect(second.note).toContain("without calling Out");
  expect(outputAtEnd(second.state, config)).toEqual({ type: "give_up" });
  expect(outputOfCalls([call("Out")], [wrong], second.state, config)).toEqual({ type: "give_up" });
});

test("what was given holds when the turn ends later", () => {
  expect(outputAtEnd({ ...state, output: { value: 1 }, outputMisses: 2 }, config)).toEqual({ type: "none" });
});
