import { describe, expect, test } from "vitest";
import { runTurn } from "../../test/support/turn-harness.ts";
import type { Message } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import { fails, says, scriptedModel, uses } from "../testing/scripted-model.ts";
import type { Spent } from "./deps.ts";

/** What is spent after 0, 1, 2, … responses. */
function spending(requests: readonly unknown[], amounts: readonly number[], unit: "costUsd" | "tokens") {
  return (): Spent => ({ costUsd: 0, tokens: 0, [unit]: amounts[requests.length] ?? 0 });
}

const notesIn = (message: Message | undefined) =>
  message?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])) ?? [];

describe("a budget in dollars", () => {
  const config = { maxBudgetUsd: 1 };
  const exceeded = { reason: "budget_exceeded", limitUsd: 1 };

  test("that is reached by a response with calls lets them run and asks no more", async () => {
    const model = scriptedModel([uses("Read"), says("Never asked for.")]);
    const turn = await runTurn({ model, config, spent: spending(model.requests, [0, 1], "costUsd") });

    expect(turn.terminal).toEqual(exceeded);
    expect(turn.requests).toBe(1);
    expect(turn.messages.at(-1)?.content).toMatchObject([{ type: "tool_result", content: "x" }]);
  });

  test("that is reached by the last answer ends the turn before stop hooks are asked", async () => {
    const model = scriptedModel([says("Done.")]);
    let asked = 0;
    const stopHooks = async () => ({ type: "block" as const, reasons: [`${++asked}`] });
    const turn = await runTurn({ model, config, stopHooks, spent: spending(model.requests, [0, 1.01], "costUsd") });

    expect([turn.terminal, asked, turn.texts]).toEqual([exceeded, 0, ["go", "Done."]]);
  });

  test("that is reached by a failed response ends its recovery", async () => {
    const failure: ModelFailure = { type: "overloaded", status: 529, phase: "content", message: "Overloaded" };
    const model = scriptedModel([[says("Half"), fails(failure)], says("Never asked for.")]);
    const turn = await runTurn({ model, config, spent: spending(model.requests, [0, 2], "costUsd") });

    expect([turn.terminal, turn.requests]).toEqual([exceeded, 1]);
  });

  test("that is spent already sends nothing", async () => {
    const turn = await runTurn({ model: scriptedModel([]), config, spent: () => ({ costUsd: 1, tokens: 0 }) });

    expect([turn.terminal, turn.requests]).toEqual([exceeded, 0]);
  });

  test("that cannot be counted ends the turn and says why", async () => {
    const turn = await runTurn({ model: scriptedModel([]), config, spent: () => ({ costUsd: null, tokens: 0 }) });

    expect(turn.terminal).toEqual({ ...exceeded, isPriceUnknown: true });
  });
});

describe("the warning", () => {
  test.each([
    ["costUsd", { maxBudgetUsd: 100 }, "the budget of $100"],
    ["tokens", { taskBudget: 100 }, "this task's budget of 100 tokens"],
  ] as const)("of %s comes once, after the results, when nine tenths are used", async (unit, config, named) => {
    const model = scriptedModel([...Array.from({ length: 4 }, (_, n) => uses("Read", { n })), says("Done.")]);
    const turn = await runTurn({ model, config, spent: spending(model.requests, [0, 50, 90, 95, 97, 99], unit) });

    const told = model.requests.map((request) => notesIn(request.messages.at(-1)));
    expect(told).toEqual([["go"], [], [expect.stringContaining(named)], [], []]);
    expect(model.requests[2]?.messages.at(-1)?.content.map((block) => block.type)).toEqual(["tool_result", "text"]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });
});

describe("a task budget", () => {
  const config = { taskBudget: 100 };

  test("that is used up ends the turn before the next request", async () => {
    const model = scriptedModel([uses("Read"), says("Never asked for.")]);
    const turn = await runTurn({ model, config, spent: spending(model.requests, [0, 100], "tokens") });

    expect([turn.terminal, turn.requests]).toEqual([{ reason: "budget_exceeded", limitTokens: 100 }, 1]);
  });

  test("that the last answer goes over takes nothing back from it", async () => {
    const model = scriptedModel([says("Done.")]);
    const turn = await runTurn({ model, config, spent: spending(model.requests, [0, 300], "tokens") });

    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("asks a model that leaves its to-do list open to go on, at most three times", async () => {
    const model = scriptedModel(["One.", "Two.", "Three.", "Four."].map((text) => says(text)));
    const turn = await runTurn({ model, config, hasOpenWork: () => true });

    expect(turn.transitions).toEqual([1, 2, 3].map((attempt) => ({ type: "budget_continue", attempt })));
    expect(turn.journal.filter((entry) => entry.type === "transition")).toHaveLength(3);
    expect(notesIn(model.requests[1]?.messages.at(-1))).toEqual([expect.stringContaining("to-do list")]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("asks for nothing when there is none, or when nothing is open", async () => {
    const without = await runTurn({ model: scriptedModel([says("Done.")]), hasOpenWork: () => true });
    const closed = await runTurn({ model: scriptedModel([says("Done.")]), config });

    expect([without.transitions, closed.transitions]).toEqual([[], []]);
  });
});

describe("a limit of tool calls", () => {
  const config = { maxToolCalls: 2 };

  test("tells the model at the last call, and lets it answer", async () => {
    const model = scriptedModel([[uses("A"), uses("B")], says("Done.")]);
    const turn = await runTurn({ model, config });

    expect(notesIn(model.requests[1]?.messages.at(-1))).toEqual([expect.stringContaining("All 2 tool calls")]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("refuses what goes beyond it, runs what does not, and ends the turn", async () => {
    const ran: string[] = [];
    const model = scriptedModel([uses("A"), [uses("B"), uses("C"), uses("D")]]);
    const turn = await runTurn({
      model,
      config,
      async runTool({ name }) {
        ran.push(name);
        return { type: "done", result: { content: name } };
      },
    });

    expect(ran).toEqual(["A", "B"]);
    expect(turn.terminal).toEqual({ reason: "budget_exceeded", limitToolCalls: 2 });
    expect(turn.messages.at(-1)?.content).toMatchObject([
      { type: "tool_result", content: "B" },
      { type: "tool_result", is_error: true, content: expect.stringContaining("limit of 2 tool calls") },
      { type: "tool_result", is_error: true },
    ]);
  });

  test("does not count the call that gives the output", async () => {
    const model = scriptedModel([[uses("A"), uses("B")], uses("Out")]);
    const turn = await runTurn({
      model,
      config: { ...config, structuredOutput: { toolName: "Out", maxRetries: 5 } },
      runTool: async ({ name }) => ({ type: "done", result: { content: "x", structured: name } }),
    });

    expect(turn.terminal).toEqual({ reason: "completed", structuredOutput: "Out" });
  });
});

describe("the ledger", () => {
  const stalled: ModelFailure = { type: "stalled", phase: "content", message: "nothing came" };
  const refused: ModelFailure = { type: "overloaded", status: 529, phase: "headers", message: "Overloaded" };

  test("has one entry for each response, with the number of its attempt and what was reported", async () => {
    const usage = { input: 10, output: 2 };
    const model = scriptedModel([
      { ...says("Half"), ...fails(stalled), blocks: [{ text: "Half" }], usage },
      fails(refused),
      { ...says("Cut", { stop: "max_tokens" }), usage },
      { ...uses("Read"), usage },
      says("Done.", { usage }),
    ]);
    const turn = await runTurn({ model });

    const all = { input: 10, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    expect(turn.ledger).toMatchObject([
      { responseId: "msg_function_0", attempt: 1, status: "failed", usage: all },
      { responseId: "msg_function_2", attempt: 3, status: "ok", usage: all },
      { responseId: "msg_function_3", attempt: 4, status: "ok", usage: all },
      { responseId: "msg_function_4", attempt: 1, status: "ok", usage: all },
    ]);
    expect(turn.requests).toBe(5);
  });
});
