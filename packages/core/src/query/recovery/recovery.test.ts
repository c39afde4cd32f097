import { describe, expect, test } from "vitest";
import { overloaded, type TurnSetup, transitionsOf } from "../../../test/support/turn-harness.ts";
import type { Message } from "../../messages/message.ts";
import type { ModelFailure } from "../../models/failure.ts";
import { fails, says, scriptedModel, thinks, uses } from "../../testing/scripted-model.ts";
import type { Compacted } from "../deps.ts";
import { MAX_REQUESTS_PER_ROUND } from "./bounds.ts";

const tooLong: ModelFailure = {
  type: "prompt_too_long",
  status: 400,
  tokens: 210_000,
  limit: 200_000,
  message: "prompt is too long",
};
const cut = (text: string) => says(text, { stop: "max_tokens" });

describe("an answer cut at the output limit", () => {
  test("is asked for again with more room, with nothing added, and shown once", async () => {
    const model = scriptedModel([cut("The first ha"), says("The whole answer.")]);

    const turn = await transitionsOf({ model });

    expect(model.requests.map((request) => request.maxTokens)).toEqual([8_000, 64_000]);
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
    expect(turn.transitions).toEqual([{ type: "max_output_tokens_escalate" }]);
    expect(turn.texts).toEqual(["go", "The whole answer."]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("is gone on with when more room does not help, at most three times; what came is only added to (B15)", async () => {
    const model = scriptedModel(["a", "b", "c", "d", "e"].map(cut));

    const turn = await transitionsOf({ model });

    expect(turn.transitions).toEqual([
      { type: "max_output_tokens_escalate" },
      { type: "max_output_tokens_recovery", attempt: 1 },
      { type: "max_output_tokens_recovery", attempt: 2 },
      { type: "max_output_tokens_recovery", attempt: 3 },
    ]);
    expect(turn.terminal).toMatchObject({ reason: "model_error", failure: { type: "output_truncated" } });
    for (const [index, request] of model.requests.entries()) {
      const before = model.requests[index - 1]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
    expect(turn.texts.filter((text) => text.length === 1)).toEqual(["b", "c", "d", "e"]);
  });

  test("whose raised cap the provider refuses is asked for with the highest that it takes, and then gone on with", async () => {
    const refused = fails({ type: "invalid_request", status: 400, outputLimit: 8_192, message: "max_tokens" });
    const model = scriptedModel([cut("a"), refused, cut("b"), says("c")]);

    const turn = await transitionsOf({ model });

    expect(model.requests.map((request) => request.maxTokens)).toEqual([8_000, 64_000, 8_192, 8_192]);
    expect(turn.transitions).toEqual([
      { type: "max_output_tokens_escalate" },
      { type: "max_output_tokens_lower", limit: 8_192 },
      { type: "max_output_tokens_recovery", attempt: 1 },
    ]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("a model that takes less than is asked for by default is asked with less, once for all rounds of the turn", async () => {
    const refused = (outputLimit: number) =>
      fails({ type: "invalid_request", status: 400, outputLimit, message: "max_tokens" });
    const model = scriptedModel([refused(4_096), uses("Read", {}), says("Done.")]);
    const stubborn = scriptedModel([refused(4_096), refused(4_096)]);

    expect((await transitionsOf({ model })).terminal).toEqual({ reason: "completed" });
    expect(model.requests.map((request) => request.maxTokens)).toEqual([8_000, 4_096, 4_096]);
    expect((await transitionsOf({ model: stubborn })).terminal).toMatchObject({ reason: "model_error" });
  });

  test("inside its thinking leaves nothing of the thinking, and goes on", async () => {
    const cutThinking = [thinks("hm"), { blocks: [], stop: "max_tokens" as const }];
    const turn = await transitionsOf({ model: scriptedModel([cutThinking, cutThinking, says("Done.")]) });

    expect(turn.names).toEqual(["max_output_tokens_escalate", "max_output_tokens_recovery"]);
    expect(JSON.stringify(turn.messages)).not.toContain("hm");
    expect(turn.terminal).toEqual({ reason: "completed" });
  });

  test("is not given more room than the window has", async () => {
    const limits = { contextTokens: 30_000, maxOutputTokens: 128_000 };
    const usage = { input: 10_000 };
    const model = scriptedModel([says("x", { stop: "max_tokens", usage }), says("Done.")], { limits });
    await transitionsOf({ model });

    expect(model.requests[1]?.maxTokens).toBe(20_000);
  });

  test("that is gone on with leaves room in the window for what came", async () => {
    const limits = { contextTokens: 60_000, maxOutputTokens: 128_000 };
    const long = (input: number, output: number) => says("x", { stop: "max_tokens", usage: { input, output } });
    const model = scriptedModel([long(10_000, 8_000), long(10_000, 20_000), long(30_000, 25_000), says("Done.")], {
      limits,
    });
    await transitionsOf({ model });

    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([8_000, 50_000, 30_000, 8_000]);
  });
});

describe("a request that is too long", () => {
  const entry = { type: "transition", transition: { type: "made room" } } as const;
  const compacted = (messages: readonly Message[], committed: number): Compacted => ({
    entries: [entry],
    messages,
    committed,
  });
  const short: Message[] = [{ role: "user", uuid: "s" as never, content: [{ type: "text", text: "short" }] }];

  test("drains staged collapses first, then compacts, and only then is shown", async () => {
    const asked: string[] = [];
    const turn = await transitionsOf({
      model: scriptedModel([fails(tooLong), fails(tooLong), fails(tooLong)]),
      autocompact: async ({ messages, why }) => {
        asked.push(why);
        return compacted(messages, 2);
      },
    });

    expect(asked).toEqual(["drain", "reactive"]);
    expect(turn.transitions).toEqual([
      { type: "collapse_drain_retry", committed: 2 },
      { type: "reactive_compact_retry" },
    ]);
    expect(turn.terminal).toEqual({ reason: "prompt_too_long", failure: tooLong });
  });

  test("with nothing staged goes straight to compaction, whose messages are sent", async () => {
    const model = scriptedModel([fails(tooLong), says("Done.")]);
    const turn = await transitionsOf({
      model,
      autocompact: async ({ why }) => (why === "drain" ? undefined : compacted(short, 0)),
    });

    expect(turn.names).toEqual(["reactive_compact_retry"]);
    expect(model.requests[1]?.messages).toEqual(short);
    expect(turn.journal).toContainEqual(entry);
  });

  test("at the window's end of an answer: what came stays, room is made, and the answer goes on", async () => {
    const turn = await transitionsOf({
      model: scriptedModel([says("half", { stop: "model_context_window_exceeded" }), says(" whole")]),
      autocompact: async ({ messages }) => compacted([...messages], 1),
    });

    expect(turn.names).toEqual(["collapse_drain_retry"]);
    expect(turn.texts.slice(0, 2)).toEqual(["go", "half"]);
    expect(turn.terminal).toEqual({ reason: "completed" });
  });
});

describe("what can be put right once", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } } as const;

  test("refused credentials are fetched anew", async () => {
    const failure: ModelFailure = { type: "auth", status: 401, message: "expired" };
    const turn = await transitionsOf({
      model: scriptedModel([fails(failure), says("Done.")]),
      refreshCredentials: async () => true,
    });
    const none = await transitionsOf({ model: scriptedModel([fails(failure)]) });
    const still = await transitionsOf({
      model: scriptedModel([fails(failure), fails(failure)]),
      refreshCredentials: async () => true,
    });

    expect(turn.names).toEqual(["credential_refresh_retry"]);
    expect([none.terminal, still.terminal]).toEqual(Array(2).fill({ reason: "model_error", failure }));
  });

  test("media that are refused become a text that names them; then the conversation is compacted; then the error is shown", async () => {
    const failure: ModelFailure = {
      type: "media",
      status: 400,
      blockPath: "messages.0.content.1",
      message: "too large",
    };
    const turn = await transitionsOf({
      answers: () => ({ blocks: [], failure }),
      first: [{ type: "text", text: "look" }, image, image],
      autocompact: async ({ messages, why }) => (why === "drain" ? undefined : { entries: [], messages, committed: 0 }),
    });

    expect(turn.names).toEqual(["media_strip_retry", "reactive_compact_retry"]);
    expect(turn.messages[0]?.content.map((block) => block.type)).toEqual(["text", "text", "image"]);
    expect(turn.terminal).toEqual({ reason: "image_error", failure });
    expect(turn.journal).toMatchObject([
      { type: "projection", op: "strip_media" },
      { type: "transition" },
      { type: "transition" },
    ]);
  });

  test("a history that is refused is repaired where the provider says, once, and recorded", async () => {
    const failure: ModelFailure = {
      type: "invalid_request",
      status: 400,
      blockPath: "messages.0.content.1",
      message: "bad block",
    };
    const bad = { type: "other", raw: { type: "strange" } } as const;
    const turn = await transitionsOf({
      answers: (index) => (index === 0 ? { blocks: [], failure } : { blocks: [{ type: "text", text: "Done." }] }),
      first: [{ type: "text", text: "look" }, bad],
    });

    expect(turn.names).toEqual(["history_repair_retry"]);
    expect(turn.messages[0]?.content).toEqual([{ type: "text", text: "look" }]);
    expect(turn.journal[0]).toMatchObject({ type: "projection", op: "repair" });
  });

  test("a refused history that cannot be told apart from what was just asked is shown, and the prompt stays", async () => {
    const failure: ModelFailure = { type: "invalid_request", blockPath: "messages.0.content.0", message: "bad block" };
    const turn = await transitionsOf({ answers: () => ({ blocks: [], failure }) });

    expect([turn.terminal, turn.texts]).toEqual([{ reason: "model_error", failure }, ["go"]]);
  });

  test("what nothing can be done about is shown at once", async () => {
    for (const failure of [
      { type: "billing", status: 402, message: "x" },
      { type: "not_found", status: 404, message: "x" },
      { type: "unsupported", message: "x" },
      { type: "invalid_request", status: 400, message: "x" },
    ] as ModelFailure[]) {
      const turn = await transitionsOf({ model: scriptedModel([fails(failure)]) });
      expect([turn.terminal, turn.names]).toEqual([{ reason: "model_error", failure }, []]);
    }
  });
});

test("after an error of the model the failure hooks run, once, and no stop hook", async () => {
  const told: ModelFailure[] = [];
  const asked: string[] = [];
  const hooks: Pick<TurnSetup, "failureHooks" | "stopHooks"> = {
    failureHooks: (failure) => void told.push(failure),
    async stopHooks() {
      asked.push("stop");
      return { type: "block", reasons: ["go on"] };
    },
  };
  const failing = scriptedModel(Array.from({ length: 10 }, () => fails(overloaded)));

  expect((await transitionsOf({ model: failing, ...hooks })).terminal).toEqual({
    reason: "model_error",
    failure: overloaded,
  });
  expect([told, asked]).toEqual([[overloaded], []]);
});

test("an abort while room is made ends the turn as aborted, not with the error that was withheld", async () => {
  const controller = new AbortController();
  const turn = await transitionsOf({
    model: scriptedModel([fails(tooLong)]),
    signal: controller.signal,
    autocompact: async ({ why }) => {
      if (why === "reactive") controller.abort({ signal: "SIGINT" });
      return undefined;
    },
  });

  expect(turn.terminal).toEqual({ reason: "aborted", in: "stream", signal: "SIGINT" });
});

test("an answer that is empty or only thinking is asked for again, three times (B13)", async () => {
  const model = scriptedModel([{ blocks: [] }, thinks("hm"), says(" \n"), thinks("hm")]);
  const turn = await transitionsOf({ model });

  expect(turn.transitions).toEqual([1, 2, 3].map((attempt) => ({ type: "empty_answer_retry", attempt })));
  expect(turn.terminal).toMatchObject({ reason: "model_error", failure: { type: "empty_answer" } });
});

test("a round that always finds something else to try ends with its thirtieth request", async () => {
  const model = "second third fourth fifth".split(" ");
  const turn = await transitionsOf({
    answers: () => ({ blocks: [], failure: overloaded }),
    fallbacks: [...model, ...model, ...model, ...model],
  });

  expect([turn.requests, MAX_REQUESTS_PER_ROUND]).toEqual([30, 30]);
  expect(turn.terminal).toEqual({ reason: "model_error", failure: overloaded });
});

test("a paused answer that is empty or only thinking is asked for again: there is nothing to send back", async () => {
  const stop = "pause_turn" as const;
  const turn = await transitionsOf({
    model: scriptedModel([{ blocks: [], stop }, [thinks("hm"), { blocks: [], stop }], says("Done.")]),
  });

  expect(turn.names).toEqual(["empty_answer_retry", "empty_answer_retry"]);
  expect(turn.terminal).toEqual({ reason: "completed" });
});

test("whatever the mix of failures, a round ends within its bound, and the consumer sees one error at most", async () => {
  const kinds: ModelFailure[] = [
    overloaded,
    tooLong,
    { type: "auth", status: 401, message: "x" },
    { type: "media", message: "x" },
    { type: "invalid_request", message: "x" },
    { type: "cut", phase: "content", message: "x" },
    { type: "rate_limited", message: "x" },
  ];
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const turn = await transitionsOf({
      answers: () => {
        const pick = random(kinds.length + 3);
        const failure = kinds[pick];
        if (failure) return { blocks: [], failure };
        return pick === kinds.length ? { blocks: [], stop: "max_tokens" } : { blocks: [] };
      },
      autocompact: async ({ messages }) => ({ entries: [], messages: [...messages], committed: 1 }),
      refreshCredentials: async () => true,
      fallbacks: ["second"],
    });

    expect(turn.requests, `seed ${seed}`).toBeLessThanOrEqual(MAX_REQUESTS_PER_ROUND);
    expect(turn.terminal?.reason, `seed ${seed}`).toMatch(/model_error|prompt_too_long|image_error/);
  }
});

test("the requests that making room takes are requests of the round, and there are no more than the round has left", async () => {
  let asked = 0;
  const turn = await transitionsOf({
    answers: () => ({ blocks: [], failure: tooLong }),
    autocompact: async ({ why, mayAsk }) => {
      while (why === "reactive" && mayAsk()) asked += 1;
      return undefined;
    },
  });

  expect(turn.requests + asked).toBe(MAX_REQUESTS_PER_ROUND);
  expect(turn.terminal).toMatchObject({ reason: "prompt_too_long" });
});
