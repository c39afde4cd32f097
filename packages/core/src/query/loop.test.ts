import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../history/journal.ts";
import type { ContentBlock, Message, ModelId, StopReason, ToolUseId, UserMessage, Uuid } from "../messages/message.ts";
import { noUsage } from "../messages/message.ts";
import type { ModelEvent, ModelRequest } from "../models/model.ts";
import { heldClock } from "../testing/held-clock.ts";
import type { Tool, ToolCall, ToolOutcome } from "../tools/tool.ts";
import type { QueryConfig } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { query } from "./query.ts";
import { initialState } from "./state.ts";
import type { Terminal } from "./transition.ts";

type Script = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const use = (id: string, name = "Safe", input: Record<string, unknown> = { id }): ContentBlock => ({
  type: "tool_use",
  id: id as ToolUseId,
  name,
  input,
});

async function* answer(
  blocks: readonly ContentBlock[],
  stop: StopReason = "end_turn",
  more: Partial<Extract<ModelEvent, { type: "message_end" }>> = {},
): AsyncGenerator<ModelEvent> {
  yield { type: "message_start", id: `msg_${blocks.length}_${Math.random()}`, model: "m" as ModelId };
  for (const [index, block] of blocks.entries()) yield { type: "block_end", index, block };
  yield { type: "message_end", stop, usage: noUsage, ...more };
}

function fakeTool(name: string, isSafe: boolean): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    maxResultChars: 1_000,
    failureCancelsSiblings: name === "Shell",
    parse: (input) => ({ ok: true, input }),
    isReadOnly: () => isSafe,
    isConcurrencySafe: () => isSafe,
    touches: () => [],
    run: async () => ({ content: "not used" }),
  };
}

type Harness = {
  answers: Script[];
  runTool?: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>;
  deps?: Partial<QueryDeps>;
  config?: Partial<QueryConfig>;
  signal?: AbortSignal;
  /** Called at each event; may return "leave" to call `return()`. */
  at?: (event: QueryEvent, count: number) => "leave" | undefined;
};

async function run(harness: Harness) {
  const journal: JournalEntry[] = [];
  const requests: Message[][] = [];
  let uuids = 0;
  const uuid = () => `u${++uuids}` as Uuid;
  const deps: QueryDeps = {
    async *callModel(request, signal) {
      const script = harness.answers[requests.length];
      requests.push([...request.messages]);
      if (script === undefined) throw new Error("no answer left");
      yield* script(request, signal);
    },
    runTool: harness.runTool ?? (async (call) => ({ type: "done", result: { content: `result of ${call.id}` } })),
    boundResults: async (results) => results,
    stopHooks: async () => ({ type: "pass" }),
    takeQueued: () => [],
    spent: () => ({ costUsd: 0, tokens: 0 }),
    hasOpenWork: () => false,
    record: async (entry) => void journal.push(entry),
    uuid,
    now: () => 0,
    sleep: async () => {},
    random: () => 0,
    autocompact: async () => undefined,
    refreshCredentials: async () => false,
    ...harness.deps,
  };
  const tools = new Map(
    [fakeTool("Safe", true), fakeTool("Unsafe", false), fakeTool("Shell", false)].map((t) => [t.name, t]),
  );
  const config: QueryConfig = {
    tools,
    toolSchemas: [],
    system: [],
    models: [{ id: "m" as ModelId, limits: { contextTokens: 200_000, maxOutputTokens: 32_000 } }],
    includeRaw: false,
    durable: false,
    source: "main",
    consumedCommands: [],
    ...harness.config,
  };
  const messages: Message[] = [{ role: "user", uuid: uuid(), content: [text("go")] }];
  const events: QueryEvent[] = [];
  let terminal: Terminal | undefined;
  const loop = query(
    initialState(messages, messages[0]?.uuid ?? null),
    deps,
    config,
    harness.signal ?? new AbortController().signal,
  );
  for (;;) {
    const next = await loop.next();
    if (next.done) {
      terminal = next.value;
      break;
    }
    events.push(next.value);
    if (harness.at?.(next.value, events.length) === "leave") {
      await loop.return(undefined as never);
      break;
    }
  }
  const transitions = events.flatMap((event) => (event.type === "transition" ? [event.transition] : []));
  return { messages, journal, requests, events, terminal, transitions };
}

const results = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => message.content)
    .flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, block.content]] : []));

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
