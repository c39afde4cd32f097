import { expect, test } from "vitest";
import { type AssistantMessage, isToolUse, type Message, textOf } from "../../messages/message.ts";
import { ask, reply, results, user } from "../../testing/conversation.ts";
import { heldClock } from "../../testing/held-clock.ts";
import type { ModelEvent } from "../model.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";
import { scenarioModel } from "./scripted-model.ts";

const scenario = (...steps: ScenarioStep[]): Scenario => ({ version: 1, name: "test", steps });
const text = (answer: string): ScenarioStep => ({ answer: [{ text: answer }] });
const bash = (command: string): ScenarioStep => ({ answer: [{ tool: "Bash", input: { command } }] });

function failure(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  return last?.type === "failure" ? last.failure : undefined;
}

/** Plays a scenario with a new model for each request, so that nothing but the history can be remembered. */
async function playAfresh(script: Scenario, result: (command: string) => string): Promise<Message[]> {
  const messages: Message[] = [user("Go.")];
  for (;;) {
    const answer = reply(await ask(scenarioModel(script), messages));
    messages.push(answer);
    const calls = answer.content.filter(isToolUse);
    if (calls.length === 0) return messages;
    messages.push(results(calls.map(({ id, input }) => [id, result(String(input["command"]))])));
  }
}

const answersIn = (messages: readonly Message[]): AssistantMessage[] =>
  messages.filter((message) => message.role === "assistant");

test("a new process goes on where the history is, step by step", async () => {
  const messages = await playAfresh(scenario(bash("ls"), bash("cat a"), text("Done.")), () => "ok");

  expect(answersIn(messages).map((answer) => [answer.id, answer.content])).toEqual([
    ["msg_scripted_0", [{ type: "tool_use", id: "toolu_0_0", name: "Bash", input: { command: "ls" } }]],
    ["msg_scripted_1", [{ type: "tool_use", id: "toolu_1_0", name: "Bash", input: { command: "cat a" } }]],
    ["msg_scripted_2", [{ type: "text", text: "Done." }]],
  ]);
});

test("the same request gets the same step, and a second prompt the next", async () => {
  const model = scenarioModel(scenario(text("One."), text("Two.")));
  const first = [user("Go.")];
  const answer = reply(await ask(model, first));

  expect(textOf(reply(await ask(model, first)).content)).toBe("One.");
  expect(textOf(reply(await ask(model, [...first, answer, user("And?")])).content)).toBe("Two.");
});

test("a fork goes back to the step after its own history", async () => {
  const script = scenario(text("One."), text("Two."), text("Three."));
  const model = scenarioModel(script);
  const first = reply(await ask(model, [user("a")]));
  const second = reply(await ask(model, [user("a"), first, user("b")]));
  await ask(model, [user("a"), first, user("b"), second, user("c")]);

  expect(textOf(reply(await ask(model, [user("a"), first, user("another b")])).content)).toBe("Two.");
});

test("steps with the same text are told apart by their order", async () => {
  const model = scenarioModel(scenario(text("Done."), text("Done."), text("Really done.")));
  const done = reply(await ask(model, [user("a")]));

  expect(textOf(reply(await ask(model, [user("a"), done, user("b")])).content)).toBe("Done.");
  expect(textOf(reply(await ask(model, [user("a"), done, user("b"), done, user("c")])).content)).toBe("Really done.");
});

test("an answer broken off on the way does not count, and its call ids are not used again", async () => {
  const script = scenario(
    {
      answer: [
        { tool: "Read", input: { n: 1 } },
        { tool: "Read", input: { n: 2 } },
      ],
    },
    text("Done."),
  );
  const whole = reply(await ask(scenarioModel(script), [user("a")]));
  const half = { ...whole, content: whole.content.slice(0, 1) };
  const history = [user("a"), half, results([["toolu_0_0", new Error("interrupted")]], "go on")];
  const again = reply(await ask(scenarioModel(script), history));

  expect([again.id, ...again.content.filter(isToolUse).map((block) => block.id)]).toEqual([
    "msg_scripted_0-2",
    "toolu_0_0-2",
    "toolu_0_1",
  ]);
  const after = [
    ...history,
    again,
    results([
      ["toolu_0_0-2", "1"],
      ["toolu_0_1", "2"],
    ]),
  ];
  expect(textOf(reply(await ask(scenarioModel(script), after)).content)).toBe("Done.");
});

test("answers of another scenario are passed over, even with the same call ids", async () => {
  const earlier = await playAfresh(scenario(bash("ls"), text("Listed.")), () => "a b");
  const answer = reply(
    await ask(scenarioModel(scenario(bash("rm a"), text("Removed."))), [...earlier, user("Remove a.")]),
  );

  expect(answer.content).toEqual([{ type: "tool_use", id: "toolu_0_0-2", name: "Bash", input: { command: "rm a" } }]);
});

test("after compaction the kept tail says where the scenario stands", async () => {
  const script = scenario(bash("one"), bash("two"), bash("three"), text("Done."));
  const tail = (await playAfresh(script, () => "ok")).slice(3, 5);

  expect(reply(await ask(scenarioModel(script), [user("What happened: one."), ...tail])).content).toMatchObject([
    { type: "tool_use", id: "toolu_2_0" },
  ]);
});

test("after compaction without a tail the summary says where the scenario stands", async () => {
  const summary = "<analysis>Hm.</analysis><summary>The user wanted one and got it.</summary>";
  const script = scenario(bash("one"), text("one"), text(summary), text("Going on."));
  const compacted = { ...user("Summary of what came before: The user wanted one and got it."), isCompactSummary: true };

  expect(textOf(reply(await ask(scenarioModel(script), [compacted])).content)).toBe("Going on.");
});

test("captured values are put into later texts and inputs, from the history alone", async () => {
  const messages = await playAfresh(
    scenario(
      bash("create"),
      { capture: { id: "id=(\\d+)" }, answer: [{ tool: "Bash", input: { command: "show {{id}}", tags: ["{{id}}"] } }] },
      { ...bash("name"), capture: { name: "^name: (.*)$" } },
      text("{{id}} is {{name}}; {{other}} is plain text."),
    ),
    (command) => ({ create: "made id=17", name: "…\nname: Ada\n…" })[command] ?? "shown",
  );

  expect(answersIn(messages)[1]?.content).toMatchObject([{ input: { command: "show 17", tags: ["17"] } }]);
  expect(textOf(answersIn(messages)[3]?.content ?? [])).toBe("17 is Ada; {{other}} is plain text.");
});

test("a value that no result has is a failure that names it", async () => {
  const script = scenario(bash("create"), { capture: { id: "id=(\\d+)" }, answer: [{ text: "{{id}}" }] });
  const call = reply(await ask(scenarioModel(script), [user("a")]));

  expect(failure(await ask(scenarioModel(script), [user("a"), call, results([["toolu_0_0", "made"]])]))).toEqual({
    type: "invalid_request",
    status: 400,
    message: "scenario test, steps[1]: no value for {{id}}\n  no tool result in the history matches its capture",
  });
});

test("an unexpected request fails with what was wanted and what was found", async () => {
  const model = scenarioModel(
    scenario(bash("test"), {
      expect: {
        lastUserText: "mend",
        lastResult: { contains: "1 failing", isError: true },
        toolsInclude: ["Read", "Edit"],
      },
      answer: [{ text: "I see." }],
    }),
  );
  const call = reply(await ask(model, [user("hello")]));
  const tools = [{ name: "Read", description: "Reads.", inputSchema: {} }];
  const events = await ask(model, [user("hello"), call, results([["toolu_0_0", "all pass"]])], { tools });

  const message = [
    "scenario test, steps[1]: not the request that was expected",
    `  the user's latest text should contain "mend"; it is "hello"`,
    `  the latest tool result should contain "1 failing"; it is "all pass"`,
    `  the latest tool result should be an error; it is no error: "all pass"`,
    "  the tools should include Edit; they are Read",
  ].join("\n");
  expect(events).toEqual([
    { type: "failure", failure: { type: "invalid_request", status: 400, message }, partial: [] },
  ]);
  expect(model.report()).toEqual({ requests: 2, unusedSteps: [1], failures: [message] });
});

test("a request beyond the last step fails, or is answered with strict: false", async () => {
  const script = scenario(text("Done."));
  const history = [user("a"), reply(await ask(scenarioModel(script), [user("a")])), user("b")];
  const message = "scenario test: all 1 steps are in the history, and the model was asked again";

  expect(failure(await ask(scenarioModel(script), history))).toMatchObject({
    message: expect.stringContaining(message),
  });
  expect(textOf(reply(await ask(scenarioModel({ ...script, strict: false }), history)).content)).toBe(message);
});

test("steps at the end that no request has asked for are told in words, none with strict: false", async () => {
  const script = scenario(
    text("Hello."),
    { answer: [{ text: "Looking." }, ...bash("ls").answer, ...bash("ls").answer] },
    text("x".repeat(50)),
  );
  const strict = scenarioModel(script);
  const lenient = scenarioModel({ ...script, strict: false });
  for (const model of [strict, lenient]) await ask(model, [user("a")]);

  expect(strict.unusedSteps?.()).toEqual(["steps[1] (Bash, Bash)", `steps[2] ("${"x".repeat(40)}…")`]);
  expect(lenient.unusedSteps?.()).toEqual([]);
});

test("a request that breaks the API's rules is refused, and no step is used", async () => {
  const model = scenarioModel(scenario(bash("ls"), text("Done.")));
  const call = reply(await ask(model, [user("a")]));
  const events = await ask(model, [user("a"), call, user("no result")]);

  expect(failure(events)).toMatchObject({
    type: "invalid_request",
    message: expect.stringMatching(/^the request breaks rules of the Messages API\n.*\(rule 4\)/),
  });
  expect(model.report().unusedSteps).toEqual([1]);
});

test("a paused answer is sent back as it is and gone on from", async () => {
  const script = scenario({ ...text("Searching…"), stop: "pause_turn" }, text("Found."));
  const paused = reply(await ask(scenarioModel(script), [user("a")]));

  expect(textOf(reply(await ask(scenarioModel(script), [user("a"), paused])).content)).toBe("Found.");
});

test.each([
  [
    { type: "status", status: 529, message: "Overloaded" },
    { type: "overloaded", status: 529, phase: "headers" },
  ],
  [
    { type: "status", status: 429, retryAfterMs: 1_500 },
    { type: "rate_limited", status: 429, retryAfterMs: 1_500 },
  ],
  [
    { type: "status", status: 401 },
    { type: "auth", status: 401 },
  ],
  [
    { type: "status", status: 400, message: "prompt is too long: 210 tokens > 200 maximum" },
    { type: "prompt_too_long", status: 400, tokens: 210, limit: 200 },
  ],
  [
    { type: "status", status: 503, retryAfterMs: 20 },
    { type: "server", status: 503, phase: "headers", retryAfterMs: 20 },
  ],
  [{ type: "error_event" }, { type: "overloaded", phase: "first_content", message: "Overloaded" }],
  [
    { type: "cut", message: "gone" },
    { type: "cut", phase: "first_content", message: "gone" },
  ],
] as const)("the fault %j is a failure once, then the answer comes", async (fault, expected) => {
  const model = scenarioModel(scenario({ ...text("Hello."), fault }));

  expect(failure(await ask(model, [user("a")]))).toMatchObject(expected);
  expect(textOf(reply(await ask(model, [user("a")])).content)).toBe("Hello.");
});

test("a cut after some blocks gives what had come", async () => {
  const answer = [{ text: "Let me look." }, { tool: "Bash", input: {} }];
  const model = scenarioModel(scenario({ answer, fault: { type: "cut", afterBlocks: 1 } }));
  const block = { type: "text", text: "Let me look." };

  expect(await ask(model, [user("a")])).toEqual([
    {
      type: "message_start",
      id: "msg_scripted_0",
      model: "scripted",
      usage: expect.objectContaining({ output: 0 }),
    },
    { type: "block_end", index: 0, block },
    {
      type: "failure",
      failure: { type: "cut", phase: "content", message: "the connection closed in the middle of the answer" },
      partial: [block],
      usage: expect.objectContaining({ cacheRead: 0 }),
    },
  ]);
});

test("a step without anything to keep is played `times` times, then the next; as the last step always", async () => {
  const overloaded: ScenarioStep = { answer: [], fault: { type: "status", status: 529, times: 2 } };
  const passing = scenarioModel(scenario(overloaded, text("Hello.")));
  const lasting = scenarioModel(scenario(overloaded));
  const kinds = async (model: typeof passing) => {
    const seen: string[] = [];
    for (let tries = 0; tries < 4; tries++) seen.push(failure(await ask(model, [user("a")]))?.type ?? "answered");
    return seen;
  };

  expect(await kinds(passing)).toEqual(["overloaded", "overloaded", "answered", "answered"]);
  expect(await kinds(lasting)).toEqual(["overloaded", "overloaded", "overloaded", "overloaded"]);
});

test("a stalled answer ends with the abort, with what had come", async () => {
  const controller = new AbortController();
  const model = scenarioModel(
    scenario({ answer: [{ text: "Let" }, { text: "go" }], fault: { type: "stall", afterBlocks: 1 } }),
  );
  const asking = ask(model, [user("a")], {}, controller.signal);
  setImmediate(() => controller.abort());

  expect((await asking).at(-1)).toEqual({
    type: "failure",
    failure: { type: "aborted" },
    partial: [{ type: "text", text: "Let" }],
  });
});

test("an abort in the middle of a text keeps the text that had come", async () => {
  const controller = new AbortController();
  const model = scenarioModel(scenario(text("A text that is longer than one delta, by far.")));
  const request = { tools: [], system: [], messages: [user("a")], maxTokens: 100, includeRaw: true };
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, controller.signal)) {
    events.push(event);
    if (JSON.stringify(event).includes("text_delta")) controller.abort();
  }

  expect(events.at(-1)).toEqual({
    type: "failure",
    failure: { type: "aborted" },
    partial: [{ type: "text", text: "A text that is longer th" }],
  });
});

test("an aborted signal gets no answer at all", async () => {
  expect(await ask(scenarioModel(scenario(text("Hello."))), [user("a")], {}, AbortSignal.abort())).toEqual([
    { type: "failure", failure: { type: "aborted" }, partial: [] },
  ]);
});

test("the answer waits for its delay on the given clock, and no longer than for an abort", async () => {
  const clock = heldClock();
  const model = scenarioModel(scenario({ ...text("Hello."), delayMs: 5_000 }), { sleep: clock.sleep });
  const controller = new AbortController();
  const waiting = ask(model, [user("a")]);
  const aborted = ask(model, [user("a")], {}, controller.signal);
  controller.abort();

  expect(failure(await aborted)).toEqual({ type: "aborted" });
  await clock.advance(5_000);
  expect(textOf(reply(await waiting).content)).toBe("Hello.");
});

test("raw events are in the Messages API's form and only come when wanted", async () => {
  const usage = { input: 7, output: 3, cacheRead: 2 };
  const model = scenarioModel(scenario({ answer: [{ thinking: "Hm." }, { tool: "Read", input: { a: "é" } }], usage }));
  const events = await ask(model, [user("a")], { includeRaw: true });
  const api = {
    input_tokens: 7,
    output_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 2,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  };

  expect(events.flatMap((event) => (event.type === "raw" ? [event.event] : []))).toEqual([
    {
      type: "message_start",
      message: {
        id: "msg_scripted_0",
        type: "message",
        role: "assistant",
        model: "scripted",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...api, output_tokens: 0 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "scripted" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "toolu_0_1", name: "Read", input: {} },
    },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":"é"}' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: api },
    { type: "message_stop" },
  ]);
  expect((await ask(model, [user("a")])).map((event) => event.type)).toEqual([
    "message_start",
    "block_end",
    "block_end",
    "message_end",
  ]);
});

test("usage that the step leaves out is estimated, the same each time", async () => {
  const model = scenarioModel(scenario({ ...text("Hello."), usage: { output: 5 } }));
  const one = reply(await ask(model, [user("a")])).usage;
  const long = reply(await ask(model, [user("a".repeat(400))])).usage;

  expect(one).toEqual({ input: expect.any(Number), output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 });
  expect((long?.input ?? 0) - (one?.input ?? 0)).toBe(100);
});
