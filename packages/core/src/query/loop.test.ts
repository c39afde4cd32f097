import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { answer, results, run, text, use } from "../../test/support/loop-harness.ts";
import type { ModelId, UserMessage, Uuid } from "../messages/message.ts";
import type { ModelEvent } from "../models/model.ts";

describe("a turn", () => {
  test("an answer without calls completes it", async () => {
    const turn = await run({ answers: [() => answer([text("Done.")])] });

    expect(turn.terminal).toEqual({ reason: "completed" });
    expect(turn.transitions).toEqual([]);
    expect(turn.messages.map((message) => message.role)).toEqual(["user", "assistant"]);
  });

  test("the results of an answer's calls are one user message, in call order, whatever ends first", async () => {
    const delays: Record<string, number> = { a: 30, b: 1, c: 10 };
    const turn = await run({
      answers: [() => answer([use("a"), use("b"), use("c")], "tool_use"), () => answer([text("Done.")])],
      runTool: async (call) => {
        await new Promise((resolve) => setTimeout(resolve, delays[call.id]));
        return { type: "done", result: { content: call.id } };
      },
    });

    expect(turn.messages.map((message) => message.role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(results(turn.messages)).toEqual([
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
    ]);
    expect(turn.transitions).toEqual([{ type: "next_round" }]);
  });

  test("nothing listens to its abort that has ended: a turn may have any number of failed answers", async () => {
    const controller = new AbortController();
    const busy = { type: "overloaded", phase: "headers", message: "busy", retryAfterMs: 0 } as const;
    const failing = async function* (): AsyncGenerator<ModelEvent> {
      yield { type: "failure", failure: busy, partial: [] };
    };
    const turn = await run({
      answers: [failing, failing, () => answer([use("a")], "tool_use"), failing, () => answer([text("Done.")])],
      signal: controller.signal,
    });

    expect(turn.terminal).toEqual({ reason: "completed" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("queued input comes after the results and never between them, denial and exception included (B2)", async () => {
    const queued: UserMessage[] = [{ role: "user", uuid: "q" as Uuid, content: [text("also this")] }];
    const turn = await run({
      answers: [
        () => answer([use("a", "Unsafe"), use("b", "Unsafe"), use("c", "Unsafe")], "tool_use"),
        () => answer([text("Done.")]),
      ],
      runTool: async (call) => {
        if (call.id === "a") return { type: "denied", reason: "no", interrupt: false };
        if (call.id === "b") throw new Error("broken");
        return { type: "done", result: { content: "fine" } };
      },
      deps: { takeQueued: () => queued.splice(0) },
    });

    expect(turn.messages[2]?.content.map((block) => (block.type === "tool_result" ? block.content : block))).toEqual([
      "no",
      "broken",
      "fine",
      text("also this"),
    ]);
  });

  test("complete calls run whatever the stop reason says", async () => {
    const turn = await run({ answers: [() => answer([use("a")], "end_turn"), () => answer([text("Done.")])] });

    expect(results(turn.messages)).toEqual([["a", "result of a"]]);
  });

  test("a refusal has its own terminal and leaves nothing empty", async () => {
    const turn = await run({ answers: [() => answer([], "refusal")] });

    expect(turn.terminal).toEqual({ reason: "refusal" });
    expect(turn.messages.map((message) => message.role)).toEqual(["user"]);
  });

  test("a paused answer is sent back as it is, and what follows is one message with it", async () => {
    const turn = await run({ answers: [() => answer([text("first ")], "pause_turn"), () => answer([text("second")])] });

    expect(turn.transitions).toEqual([{ type: "pause_turn" }]);
    expect(turn.requests[1]?.at(-1)?.content).toEqual([text("first ")]);
    expect(turn.messages.map((message) => message.content)).toEqual([[text("go")], [text("first "), text("second")]]);
  });

  test("a provider that pauses for ever is asked twenty times more, and what it said stays", async () => {
    const turn = await run({ answers: Array(30).fill(() => answer([text("more ")], "pause_turn")) });

    expect(turn.requests).toHaveLength(21);
    expect(turn.transitions).toEqual(Array(20).fill({ type: "pause_turn" }));
    expect(turn.terminal).toMatchObject({
      reason: "model_error",
      failure: { type: "output_truncated", by: "provider" },
    });
    expect(turn.messages[1]?.content).toHaveLength(21);
  });

  test("the cap on rounds ends it before the next request", async () => {
    const turn = await run({ answers: [() => answer([use("a")], "tool_use")], config: { maxTurns: 1 } });

    expect(turn.terminal).toEqual({ reason: "max_turns", limit: 1 });
    expect(results(turn.messages)).toEqual([["a", "result of a"]]);
  });

  test("a failure of the model is shown once, and nothing of its answer stays", async () => {
    const failure = { type: "billing", status: 402, message: "no credit" } as const;
    async function* broken(): AsyncGenerator<ModelEvent> {
      yield { type: "message_start", id: "x", model: "m" as ModelId };
      yield { type: "block_end", index: 0, block: text("half") };
      yield { type: "block_end", index: 1, block: use("a") };
      yield { type: "failure", failure, partial: [text("half")] };
    }
    const turn = await run({ answers: [broken] });

    expect(turn.terminal).toEqual({ reason: "model_error", failure });
    expect(turn.messages.map((message) => message.role)).toEqual(["user"]);
    expect(turn.events.filter((event) => event.type === "tombstone")).toEqual([
      { type: "tombstone", uuids: ["u2", "u3"] },
    ]);
  });

  test("a stop hook sends the model back to work with its reason, bounded", async () => {
    const turn = await run({
      answers: Array.from({ length: 9 }, () => () => answer([text("Done.")])),
      deps: { stopHooks: async () => ({ type: "block", reasons: ["tests fail"] }) },
    });

    expect(turn.transitions).toEqual(Array.from({ length: 8 }, () => ({ type: "stop_hook_blocking" })));
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("a stop hook can hold the turn", async () => {
    const turn = await run({
      answers: [() => answer([text("Done.")])],
      deps: { stopHooks: async () => ({ type: "prevent", reason: "wait" }) },
    });

    expect(turn.terminal).toEqual({ reason: "stop_hook_prevented" });
  });

  test("a denial that interrupts ends the turn after the results are written", async () => {
    const turn = await run({
      answers: [() => answer([use("a", "Unsafe")], "tool_use")],
      runTool: async () => ({ type: "denied", reason: "stop it", interrupt: true }),
    });

    expect(turn.terminal).toEqual({ reason: "aborted", in: "tools" });
    expect(results(turn.messages)).toEqual([["a", "stop it"]]);
  });

  test("slash commands are told as completed only when the turn ends by itself", async () => {
    const controller = new AbortController();
    controller.abort();
    const config = { consumedCommands: ["review"] };
    const ended = await run({ answers: [() => answer([text("Done.")])], config });
    const left = await run({ answers: [], config, signal: controller.signal });

    expect(ended.events.at(-1)).toEqual({ type: "command_completed", command: "review" });
    expect(left.events).toEqual([]);
    expect(left.terminal).toEqual({ reason: "aborted", in: "stream" });
  });
});

describe("the same call again and again", () => {
  const same = (n: number) => () => answer([use(`a${n}`, "Safe", { path: "x" })], "tool_use");

  test("is pointed out at the third, and ends the turn at the sixth", async () => {
    const turn = await run({
      answers: [1, 2, 3, 4, 5, 6, 7].map(same),
      runTool: async () => ({ type: "done", result: { content: "same" } }),
    });

    expect(turn.terminal).toEqual({ reason: "stuck" });
    expect(turn.requests).toHaveLength(6);
    expect(JSON.stringify(turn.requests[3])).toContain("3 times running");
    expect(JSON.stringify(turn.requests[2])).not.toContain("times running");
  });

  test("a different result in between starts the count anew", async () => {
    let count = 0;
    const turn = await run({
      answers: [...[1, 2, 3, 4, 5, 6, 7].map(same), () => answer([text("Done.")])],
      runTool: async () => ({ type: "done", result: { content: ++count === 4 ? "other" : "same" } }),
    });

    expect(turn.terminal).toEqual({ reason: "completed" });
  });
});
