import { describe, expect, test } from "vitest";
import { answer, results, run, text, use } from "../../test/support/loop-harness.ts";
import type { ContentBlock, ModelId, ToolUseId } from "../messages/message.ts";
import { noUsage } from "../messages/message.ts";
import type { ModelEvent } from "../models/model.ts";
import { heldClock } from "../testing/held-clock.ts";
import type { ToolCall } from "../tools/tool.ts";

describe("when tools start", () => {
  test("a safe tool starts while the answer still streams; an unsafe one after it, alone, in order", async () => {
    const log: string[] = [];
    async function* streaming(): AsyncGenerator<ModelEvent> {
      yield* head([use("s1"), use("u1", "Unsafe"), use("s2"), use("u2", "Unsafe")]);
      log.push("stream ends");
      yield { type: "message_end", stop: "tool_use", usage: noUsage };
    }
    async function* head(blocks: ContentBlock[]): AsyncGenerator<ModelEvent> {
      yield { type: "message_start", id: "x", model: "m" as ModelId };
      for (const [index, block] of blocks.entries()) yield { type: "block_end", index, block };
    }
    await run({
      answers: [streaming, () => answer([text("Done.")])],
      runTool: async (call) => {
        log.push(`${call.id} starts`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${call.id} ends`);
        return { type: "done", result: { content: "x" } };
      },
    });

    expect(log).toEqual([
      "s1 starts",
      "stream ends",
      "s1 ends",
      "u1 starts",
      "u1 ends",
      "s2 starts",
      "s2 ends",
      "u2 starts",
      "u2 ends",
    ]);
  });

  test("on a held clock, a safe tool ends a second before the stream that called it", async () => {
    const clock = heldClock();
    const { signal } = new AbortController();
    const log: string[] = [];
    async function* streaming(): AsyncGenerator<ModelEvent> {
      yield { type: "message_start", id: "x", model: "m" as ModelId };
      yield { type: "block_end", index: 0, block: use("a") };
      await clock.sleep(1_100, signal);
      log.push(`stream ends at ${clock.now()}`);
      yield { type: "message_end", stop: "tool_use", usage: noUsage };
    }
    const startMs = clock.now();
    const running = run({
      answers: [streaming, () => answer([text("Done.")])],
      runTool: async () => {
        log.push(`tool starts at ${clock.now()}`);
        await clock.sleep(100, signal);
        log.push(`tool ends at ${clock.now()}`);
        return { type: "done", result: { content: "x" } };
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
    await running;

    expect(log).toEqual([
      `tool starts at ${startMs}`,
      `tool ends at ${startMs + 100}`,
      `stream ends at ${startMs + 1_100}`,
    ]);
  });

  test("in durable mode nothing starts before the answer is in the journal", async () => {
    const order: string[] = [];
    const turn = await run({
      answers: [() => answer([use("a"), use("b")], "tool_use"), () => answer([text("Done.")])],
      config: { durable: true },
      runTool: async (call) => {
        order.push(call.id);
        return { type: "done", result: { content: "x" } };
      },
      deps: { record: async (entry) => void (entry.type === "message" && order.push(entry.message.role)) },
    });

    expect(turn.terminal).toEqual({ reason: "completed" });
    expect(order).toEqual(["assistant", "assistant", "a", "b", "user", "user", "assistant"]);
  });

  test("two safe tools of 200 ms in one answer take under 350 ms", async () => {
    const startedAt = performance.now();
    await run({
      answers: [() => answer([use("a"), use("b")], "tool_use"), () => answer([text("Done.")])],
      runTool: async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return { type: "done", result: { content: "x" } };
      },
    });

    expect(performance.now() - startedAt).toBeLessThan(350);
  });

  test("a failing shell command cancels later ones of its answer, not reads", async () => {
    const turn = await run({
      answers: [
        () => answer([use("a", "Shell"), use("b"), use("c", "Shell")], "tool_use"),
        () => answer([text("Done.")]),
      ],
      runTool: async (call) => ({ type: "done", result: { content: call.id, isError: call.id === "a" } }),
    });

    const texts = results(turn.messages).map(([, content]) => content);
    expect(texts.slice(0, 2)).toEqual(["a", "b"]);
    expect(texts[2]).toMatch(/^<tool_use_error>Cancelled:/);
  });
});

describe("tool input that is not whole never runs", () => {
  const broken: ContentBlock = {
    type: "tool_use",
    id: "a" as ToolUseId,
    name: "Unsafe",
    input: {},
    unparsedInput: '{"content": "half a fi',
  };

  test("a call cut by the output limit is explained to the model, bounded (B12)", async () => {
    const ran: string[] = [];
    const cut = () =>
      answer([], "max_tokens", { cutBlock: { type: "tool_use", toolName: "Write", partialJson: '{"con' } });
    const turn = await run({
      answers: [cut, cut, cut, cut, cut],
      runTool: async (call) => {
        ran.push(call.id);
        return { type: "done", result: { content: "x" } };
      },
    });

    expect(ran).toEqual([]);
    expect(turn.transitions.map((transition) => transition.type)).toEqual([
      "max_output_tokens_escalate",
      ...Array(3).fill("malformed_tool_use_retry"),
    ]);
    expect(turn.terminal).toEqual({ reason: "malformed_tool_use" });
    expect(JSON.stringify(turn.requests[2])).toContain("Your call of Write was cut");
  });

  test("a call whose input is no JSON although the answer ended normally gets an error result, bounded (B12)", async () => {
    const seen: ToolCall[] = [];
    const turn = await run({
      answers: [1, 2, 3, 4].map(
        (n) => () => answer([{ ...broken, id: `a${n}` as ToolUseId } as ContentBlock], "end_turn"),
      ),
      runTool: async (call) => {
        seen.push(call);
        return { type: "invalid", message: "not JSON" };
      },
    });

    expect(seen.map((call) => call.unparsedInput)).toEqual(Array(4).fill(`{"content": "half a fi`));
    expect(turn.terminal).toEqual({ reason: "malformed_tool_use" });
  });
});
