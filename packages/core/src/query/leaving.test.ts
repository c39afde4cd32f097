import { describe, expect, test } from "vitest";
import { answer, results, run, type Script, text, use } from "../../test/support/loop-harness.ts";
import type { JournalEntry } from "../history/journal.ts";
import type { ContentBlock, Message, ModelId } from "../messages/message.ts";
import type { ModelEvent } from "../models/model.ts";

describe("leaving", () => {
  const thinking: ContentBlock = { type: "thinking", thinking: "hm", signature: "s" };
  const session = (): Script[] => [
    () => answer([text("I look."), use("a"), use("b", "Unsafe")], "tool_use"),
    () => answer([thinking, use("c", "Unsafe"), use("d")], "tool_use"),
    () => answer([text("Done.")]),
  ];

  function expectClean(messages: readonly Message[], journal: readonly JournalEntry[]) {
    const uses = messages
      .flatMap((message) => message.content)
      .flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    expect(results(messages).map(([id]) => id)).toEqual(uses);
    const inJournal = journal.flatMap((entry) => (entry.type === "message" ? entry.message.content : []));
    expect(inJournal.filter((block) => block.type === "tool_result")).toHaveLength(
      inJournal.filter((block) => block.type === "tool_use").length,
    );
  }

  test("`return()` at every event leaves a result for every call in the history", async () => {
    const whole = await run({ answers: session() });
    for (let count = 1; count <= whole.events.length; count++) {
      const left = await run({ answers: session(), at: (_, at) => (at === count ? "leave" : undefined) });
      expectClean(left.messages, left.journal);
    }
    expect(whole.events.length).toBeGreaterThan(10);
  });

  test("an abort at every event does too, and ends as aborted", async () => {
    const whole = await run({ answers: session() });
    for (let count = 1; count < whole.events.length - 2; count++) {
      const controller = new AbortController();
      const turn = await run({
        answers: session(),
        signal: controller.signal,
        at: (_, at) => void (at === count && controller.abort({ signal: "SIGINT" })),
        runTool: async (call, signal) =>
          signal.aborted ? { type: "cancelled", reason: "abort" } : { type: "done", result: { content: call.id } },
      });
      expectClean(turn.messages, turn.journal);
      expect(turn.terminal).toMatchObject({ reason: "aborted", signal: "SIGINT" });
    }
  });

  test("an abort right after the thinking closes leaves no thinking-only answer, but a marker (B5)", async () => {
    const controller = new AbortController();
    async function* thinks(): AsyncGenerator<ModelEvent> {
      yield { type: "message_start", id: "x", model: "m" as ModelId };
      yield { type: "block_end", index: 0, block: thinking };
      controller.abort();
      yield { type: "failure", failure: { type: "aborted" }, partial: [thinking] };
    }
    const turn = await run({ answers: [thinks], signal: controller.signal });

    expect(turn.messages).toMatchObject([
      { role: "user", content: [text("go"), text("[Request interrupted by user]")] },
    ]);
  });

  test("open calls get a result each when the user stops the second of two (B1)", async () => {
    const controller = new AbortController();
    const turn = await run({
      answers: [() => answer([use("a", "Unsafe"), use("b", "Unsafe")], "tool_use")],
      signal: controller.signal,
      runTool: async (call, signal) => {
        if (call.id === "a") return { type: "done", result: { content: "first" } };
        controller.abort();
        return signal.aborted ? { type: "cancelled", reason: "abort" } : { type: "done", result: { content: "?" } };
      },
    });

    expect(results(turn.messages)).toEqual([
      ["a", "first"],
      ["b", "[Request interrupted by user for tool use]"],
    ]);
    expect(turn.terminal).toEqual({ reason: "aborted", in: "tools" });
  });

  test("a tool that never settles after an abort is abandoned within a bound", async () => {
    const controller = new AbortController();
    const startedAt = performance.now();
    const turn = await run({
      answers: [() => answer([use("a", "Unsafe")], "tool_use")],
      signal: controller.signal,
      runTool: () => {
        setTimeout(() => controller.abort(), 10);
        return new Promise(() => {});
      },
    });

    expect(turn.terminal).toEqual({ reason: "aborted", in: "tools" });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});
