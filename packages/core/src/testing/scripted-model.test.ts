import { expect, test } from "vitest";
import type { Message } from "../messages/message.ts";
import { functionModel } from "../models/scripted/function-model.ts";
import { ask, reply, results, user } from "./conversation.ts";
import { fails, says, scriptedModel, stalls, thinks, uses } from "./scripted-model.ts";

test("the answers come one after another, whatever is asked, and the requests are kept", async () => {
  const model = scriptedModel([says("The first ha", { stop: "max_tokens" }), says("The whole answer.")]);
  const history: Message[] = [user("Explain.")];
  const first = reply(await ask(model, history, { maxTokens: 8_000 }));
  const second = reply(await ask(model, history, { maxTokens: 64_000 }));
  history.push(second, user("more"));

  expect([first.stopReason, second.stopReason]).toEqual(["max_tokens", "end_turn"]);
  expect(second.content).toEqual([{ type: "text", text: "The whole answer." }]);
  expect(model.requests.map((request) => [request.maxTokens, request.messages.length])).toEqual([
    [8_000, 1],
    [64_000, 1],
  ]);
});

test("an array is one answer of several parts, its calls with ids of their own", async () => {
  const model = scriptedModel([
    [thinks("Hm."), says("Let me."), uses("Read", { a: 1 }), uses("Glob", {}, "mine")],
    says("Done."),
  ]);
  const answer = reply(await ask({ stream: model.call }, [user("a")]));

  expect(answer.content).toEqual([
    {
      type: "thinking",
      thinking: "Hm.",
      signature: "scripted",
      provenance: { provider: "scripted", model: "scripted" },
    },
    { type: "text", text: "Let me." },
    { type: "tool_use", id: "toolu_0_2", name: "Read", input: { a: 1 } },
    { type: "tool_use", id: "mine", name: "Glob", input: {} },
  ]);
  expect(answer.stopReason).toBe("tool_use");
  expect(
    reply(
      await ask(model, [
        user("a"),
        answer,
        results([
          ["toolu_0_2", "1"],
          ["mine", "2"],
        ]),
      ]),
    ).content,
  ).toEqual([{ type: "text", text: "Done." }]);
});

test("a second model does not repeat the call ids and answer ids of a history", async () => {
  const first = reply(await ask(scriptedModel([uses("Read")]), [user("a")]));
  const second = reply(await ask(scriptedModel([uses("Read")]), [user("a"), first, results([["toolu_0_0", "1"]])]));

  expect([first.id, second.id]).toEqual(["msg_function_0", "msg_function_0-2"]);
  expect(second.content).toMatchObject([{ id: "toolu_0_0-2" }]);
});

test("an answer can end in a failure or stall, with what came before", async () => {
  const failure = { type: "cut", phase: "content", message: "gone" } as const;
  const model = scriptedModel([
    [says("Half"), fails(failure)],
    [says("Half"), stalls()],
  ]);
  const controller = new AbortController();
  const partial = [{ type: "text", text: "Half" }];

  expect((await ask(model, [user("a")])).at(-1)).toMatchObject({ type: "failure", failure, partial });
  setImmediate(() => controller.abort());
  expect((await ask(model, [user("a")], {}, controller.signal)).at(-1)).toEqual({
    type: "failure",
    failure: { type: "aborted" },
    partial,
  });
});

test("a request too many, and one that breaks the API's rules, fail", async () => {
  const model = scriptedModel([says("Done.")]);
  const broken = await ask(model, []);
  const extra = await ask(model, [user("a")]);

  expect(broken).toMatchObject([
    { failure: { type: "invalid_request", message: expect.stringContaining("(rule 1)") } },
  ]);
  expect(extra.map((event) => event.type)).toEqual(["message_start", "block_end", "message_end"]);
  expect(await ask(model, [user("a")])).toMatchObject([
    { failure: { message: "the scripted model has 1 answers and was asked for one more; add an answer" } },
  ]);
});

test("a function answers by what the request holds", async () => {
  const model = functionModel(
    async ({ messages }, index) => ({
      blocks: [{ type: "text", text: `${messages.length} messages, request ${index}` }],
      usage: { input: 1, output: 2 },
    }),
    { id: "claude-test-1", limits: { contextTokens: 20_000, maxOutputTokens: 2_000 } },
  );

  expect(reply(await ask(model, [user("a")]))).toMatchObject({
    model: "claude-test-1",
    content: [{ type: "text", text: "1 messages, request 0" }],
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  });
  expect(await ask(model, [user("a")], { maxTokens: 3_000 })).toMatchObject([{ failure: { type: "invalid_request" } }]);
});
