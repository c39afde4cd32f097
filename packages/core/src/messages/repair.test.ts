import { describe, expect, test } from "vitest";
import type { ApiBlock, ApiMessage } from "./api-message.ts";
import { jpegOf, pngOf } from "./media/image.test-data.ts";
import type { AssistantMessage, Message, ModelId, ToolUseId, UserMessage, Uuid } from "./message.ts";
import { repairHistory, repairMessages } from "./repair.ts";
import type { RuleOptions } from "./rule-options.ts";
import { violations } from "./violations.ts";

const user = (...content: ApiBlock[]): ApiMessage => ({ role: "user", content });
const answer = (...content: ApiBlock[]): ApiMessage => ({ role: "assistant", content });
const hello: ApiMessage = { role: "user", content: "Hello." };
const text = (value: string): ApiBlock => ({ type: "text", text: value });
const use = (id: string, fields: object = {}): ApiBlock => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: {},
  ...fields,
});
const result = (id: string, content: unknown = "done"): ApiBlock => ({ type: "tool_result", tool_use_id: id, content });
const interrupted = (id: string): ApiBlock => ({
  ...result(id, "The tool call was interrupted before it gave a result."),
  is_error: true,
});
const thought: ApiBlock = { type: "thinking", thinking: "hm", signature: "c2ln" };
const image = (data: string, media_type = "image/png"): ApiBlock => ({
  type: "image",
  source: { type: "base64", media_type, data },
});

/** Repairs, checks that nothing is left to repair, and gives what came out. */
function repaired(messages: unknown, options: RuleOptions = {}): ApiMessage[] {
  const given = structuredClone(messages);
  const outcome = repairMessages(messages as ApiMessage[], options);
  expect(violations(outcome.messages, options)).toEqual([]);
  expect(repairMessages(outcome.messages, options).repairs).toEqual([]);
  expect(messages).toEqual(given);
  return outcome.messages;
}

const repairsOf = (messages: unknown, options?: RuleOptions) =>
  repairMessages(messages as ApiMessage[], options).repairs;

describe("calls and results", () => {
  test("B1: after a cancel the open call gets an interrupted result, first in the next message, in the order of the calls", () => {
    const history = [hello, answer(use("a"), use("b")), user(result("a", "1"), text("go on"))];

    expect(repaired(history)).toEqual([
      hello,
      answer(use("a"), use("b")),
      user(result("a", "1"), interrupted("b"), text("go on")),
    ]);
    expect(repairsOf(history)).toEqual([
      { rule: 4, at: "messages[1].content[1]", did: "gave it a result that says it was interrupted" },
    ]);
  });

  test("B1: a prompt right after a cancelled call comes behind the interrupted result", () => {
    expect(repaired([hello, answer(use("a")), { role: "user", content: "go on", uuid: "u" }])).toEqual([
      hello,
      answer(use("a")),
      { role: "user", content: [interrupted("a"), text("go on")], uuid: "u" },
    ]);
  });

  test("B2: three results, written one by one with a prompt between them, become one message: results first, in order", () => {
    const history = [
      hello,
      answer(use("a"), use("b"), use("c")),
      user(result("c", "3")),
      user(text("also this")),
      user(result("a", "1")),
      user(result("b", "2")),
    ];

    expect(repaired(history)).toEqual([
      hello,
      answer(use("a"), use("b"), use("c")),
      user(result("a", "1"), result("b", "2"), result("c", "3"), text("also this")),
    ]);
  });

  test("a history may end with open calls; a request answers them", () => {
    const open = [hello, answer(use("a"))];

    expect(repaired(open)).toEqual(open);
    expect(repaired(open, { as: "request" })).toEqual([...open, user(interrupted("a"))]);
  });

  test("a result that came late moves to its call", () => {
    expect(repaired([hello, answer(use("a")), user(text("hm")), answer(text("well")), user(result("a", "1"))])).toEqual(
      [hello, answer(use("a")), user(result("a", "1"), text("hm")), answer(text("well"))],
    );
  });

  test("a second result and a result without a call are dropped, and the answers around them joined", () => {
    expect(repaired([hello, answer(use("a")), user(result("a", "1"), result("a", "2")), answer(text("x"))])).toEqual([
      hello,
      answer(use("a")),
      user(result("a", "1")),
      answer(text("x")),
    ]);
    expect(repaired([hello, answer(text("x")), user(result("gone")), answer(text("y"))])).toEqual([
      hello,
      answer(text("x"), text("y")),
    ]);
  });

  test("an id that was used before becomes another, in the call and in its result", () => {
    const round = (output: string) => [answer(use("a")), user(result("a", output))];

    expect(repaired([hello, ...round("1"), ...round("2"), ...round("3")])).toEqual([
      hello,
      ...round("1"),
      answer(use("a_2")),
      user(result("a_2", "2")),
      answer(use("a_3")),
      user(result("a_3", "3")),
    ]);
  });

  test("a call's bad id, name and input are made good without losing what they say", () => {
    const call = { type: "tool_use", id: "call:1", name: "my tool", input: '{"path":"a"}' };

    expect(repaired([hello, answer(call), user(result("call:1", "1"))])).toEqual([
      hello,
      answer({ type: "tool_use", id: "call_1_2", name: "my_tool", input: { path: "a" } }),
      user(result("call_1_2", "1")),
    ]);
  });
});

describe("answers", () => {
  test("B3: half a thought is dropped whole; the call beside it stays", () => {
    const half = { type: "thinking", thinking: "hm", signature: "" };
    const otherHalf = { type: "thinking", signature: "c2ln" };
    const history = [hello, answer(half, otherHalf, use("a")), user(result("a"))];

    expect(repaired(history)).toEqual([hello, answer(use("a")), user(result("a"))]);
    expect(repairsOf(history).map(({ rule, did }) => [rule, did])).toEqual([
      [7, "dropped: thinking without its signature"],
      [7, "dropped: thinking without its text"],
    ]);
  });

  test("B3: whole thoughts go through a repair of what stands beside them byte for byte, a withheld text too", () => {
    const withheld = { type: "thinking", thinking: "", signature: "c2ln" };
    const sealed = { type: "redacted_thinking", data: "c2Vhb" };

    const [, given] = repaired([hello, answer(thought, withheld, sealed, text(" "), text("x"))]);

    expect(given).toEqual(answer(thought, withheld, sealed, text("x")));
  });

  test("B5: an answer cut after its thought goes out as an interruption mark", () => {
    const history = [hello, { ...answer(thought), uuid: "u" }, user(text("go on"))];

    expect(repaired(history)).toEqual([
      hello,
      { role: "assistant", content: [text("[The answer was interrupted here.]")], uuid: "u" },
      user(text("go on")),
    ]);
  });

  test("B5: a thought behind the last text is dropped", () => {
    expect(repaired([hello, answer(thought, text("x"), thought)])).toEqual([hello, answer(thought, text("x"))]);
  });

  test("B10: another model's thought is left out of a request and kept in a history", () => {
    const history = [hello, { ...answer(thought, text("x")), model: "claude-opus-5" }, hello];

    expect(repaired(history, { model: "claude-sonnet-5" })).toEqual(history);
    expect(repaired(history, { as: "request", model: "claude-sonnet-5" })[1]).toEqual({
      ...answer(text("x")),
      model: "claude-opus-5",
    });
  });

  test("a server tool that was cut off is gone; a paused answer at the end stays as it is", () => {
    const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const paused = { ...answer(text("x"), search), stop_reason: "pause_turn" };

    expect(repaired([hello, answer(text("x"), search), hello])).toEqual([hello, answer(text("x")), hello]);
    expect(repaired([hello, hello, paused], { as: "request" })).toEqual([user(text("Hello."), text("Hello.")), paused]);
  });
});

describe("content", () => {
  test("B6: blank text goes, an empty result says so", () => {
    const history = [hello, answer(text("\n\n"), use("a")), user(result("a", ""), text(""))];

    expect(repaired(history)).toEqual([hello, answer(use("a")), user(result("a", "(no output)"))]);
    expect(repairsOf(history)).toEqual([
      { rule: 3, at: "messages[1].content[0]", did: "dropped: an empty text" },
      { rule: 6, at: "messages[2].content[0]", did: "mended an empty result" },
      { rule: 3, at: "messages[2].content[1]", did: "dropped: an empty text" },
    ]);
  });

  test("B6: an empty answer is dropped and the prompts around it joined; the later one's fields stay", () => {
    const history = [{ ...hello, uuid: "1" }, answer(), { role: "user", content: "Well?", uuid: "2" }];

    expect(repaired(history)).toEqual([{ ...user(text("Hello."), text("Well?")), uuid: "2" }]);
  });

  test("a message that is meta does not hide the one it is joined to", () => {
    const history = [
      { ...hello, uuid: "1" },
      { role: "user", content: "Well?", uuid: "2", isMeta: true },
    ];

    expect(repaired(history)).toEqual([{ ...user(text("Hello."), text("Well?")), uuid: "1" }]);
  });

  test("B8: half an emoji becomes a replacement mark, in a text, an input, a result and a key", () => {
    const history = [
      user(text("cut \ud83d")),
      answer(use("a", { input: { "\udc00": ["\ud83d"] } })),
      user(result("a", [text("\ud83d!")])),
    ];

    expect(repaired(history)).toEqual([
      user(text("cut \ufffd")),
      answer(use("a", { input: { "\ufffd": ["\ufffd"] } })),
      user(result("a", [text("\ufffd!")])),
    ]);
  });

  test("what a tool result may not hold is told as text", () => {
    const link = { type: "resource_link", uri: "file:///a" };

    expect(repaired([hello, answer(use("a")), user(result("a", [link]))])[2]).toEqual(
      user(result("a", [text('{"type":"resource_link","uri":"file:///a"}')])),
    );
  });

  test("blocks of unknown kind go through as they are", () => {
    const strange = { type: "advisor", seen: [1, { deep: true }] };
    const history = [hello, hello, answer(strange)];

    const [, given] = repaired(history);

    expect(given).toBe(history[2]);
  });

  test("what is no message is dropped, and the untouched messages are the same objects", () => {
    const history = [hello, null, 7, answer(text("x")), user(text(" "), text("y"))];

    const given = repaired(history);

    expect(given).toEqual([hello, answer(text("x")), user(text("y"))]);
    expect(given[0]).toBe(history[0]);
    expect(given[1]).toBe(history[3]);
  });

  test.each([null, undefined, 7, "text", {}, [], [null]])(
    "%j is an empty history, and a request that begins",
    (given) => {
      expect(repaired(given)).toEqual([]);
      expect(repaired(given, { as: "request" })).toEqual([user(text("Continue."))]);
    },
  );

  test("a conversation that lost its start is said to have", () => {
    expect(repaired([answer(text("x"))])).toEqual([
      user(text("[The start of this conversation is missing.]")),
      answer(text("x")),
    ]);
  });
});

describe("media", () => {
  test("an image under a wrong name is named right", () => {
    expect(repaired([user(image(jpegOf(9, 9), "image/png"))])).toEqual([user(image(jpegOf(9, 9), "image/jpeg"))]);
  });

  test("B9: what the API would refuse gives way to a text that names it", () => {
    const tooTall = image(pngOf(300, 8100));

    expect(repaired([hello, answer(use("a")), user(result("a", [tooTall]))])[2]).toEqual(
      user(
        result("a", [
          text("[image left out, image/png, 0.0 MB: it is 300 × 8100 pixels, over the limit of 8000 a side]"),
        ]),
      ),
    );
  });

  test("B9: a large image among many gives way, the small ones stay", () => {
    const small = Array.from({ length: 20 }, () => image(pngOf(9, 9)));

    const [first] = repaired([user(...small, image(pngOf(2200, 300)))]);

    expect(first).toEqual(
      user(
        ...small,
        text("[image left out, image/png, 0.0 MB: it is over 2000 pixels a side among more than 20 images]"),
      ),
    );
  });

  test("of too many images the oldest give way", () => {
    const images = Array.from({ length: 101 }, () => image(pngOf(9, 9)));

    const [first] = repaired([user(...images)], { contextTokens: 200_000 });

    expect(first?.content).toEqual([
      text("[image left out, image/png, 0.0 MB: it is one of more than 100]"),
      ...images.slice(1),
    ]);
  });
});

describe("size", () => {
  const MB = 1024 * 1024;

  test("of a body over the limit the oldest media give way first", () => {
    const large = image(pngOf(9, 9).padEnd(5 * MB - 4, "A"));
    const history = [
      user(large, text("x")),
      ...Array.from({ length: 6 }, () => [answer(text("y")), user(large)]).flat(),
    ];

    const given = repaired(history);

    expect(given[0]?.content).toEqual([
      text("[image left out, image/png, 5.0 MB: it made the request too large]"),
      text("x"),
    ]);
    expect(given.slice(1)).toEqual(history.slice(1));
  });

  test("then long texts lose their middle, between whole characters", () => {
    const [first] = repaired([user(text("🎉".repeat(8.5 * MB)))]);

    expect(JSON.stringify(first).length).toBeLessThan(101_000);
  });

  test("then the oldest messages go, never a call from its result", () => {
    const round = (index: number) => [answer(use(`a${index}`)), user(result(`a${index}`, "x".repeat(99_000)))];
    const history = [hello, ...Array.from({ length: 400 }, (_, index) => round(index)).flat()];

    const given = repaired(history);

    expect(given[0]).toEqual(user(text("[The start of this conversation is missing.]")));
    expect(given.at(-1)).toBe(history.at(-1));
    expect(given.length).toBeGreaterThan(600);
  });

  test("of more than four cache marks the last four stay", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const blocks = Array.from({ length: 6 }, (_, index) => ({ ...text(`${index}`), ...mark }));

    expect(repaired([user(...blocks)])).toEqual([user(text("0"), text("1"), ...blocks.slice(2))]);
  });

  test("the time grows with the history, not with its square", () => {
    const broken = (rounds: number) => [
      hello,
      ...Array.from({ length: rounds }, () => [answer(use("a"), use("a")), user(text("x"), result("a"))]).flat(),
    ];
    const timeOf = (rounds: number) => {
      const history = broken(rounds);
      const start = performance.now();
      repairMessages(history);
      return performance.now() - start;
    };
    timeOf(500); // warm

    const short = Math.min(timeOf(500), timeOf(500), timeOf(500));
    const long = Math.min(timeOf(8_000), timeOf(8_000));

    expect(long / short).toBeLessThan(100); // 16 times the rounds; the square would be 256
  });
});

describe("the engine's own form", () => {
  const prompt: UserMessage = { role: "user", uuid: "u1" as Uuid, content: [{ type: "text", text: "Hello." }] };
  const answered: AssistantMessage = {
    role: "assistant",
    uuid: "a1" as Uuid,
    id: "msg_1",
    model: "claude-sonnet-5" as ModelId,
    content: [
      {
        type: "thinking",
        thinking: "hm",
        signature: "c2ln",
        provenance: { provider: "anthropic", model: "m" as ModelId },
      },
      { type: "tool_use", id: "t1" as ToolUseId, name: "Bash", input: {}, unparsedInput: "{" },
    ],
    stopReason: "tool_use",
    usage: null,
  };

  test("messages that need nothing are the same objects; what is kept beside a block stays", () => {
    const goOn: UserMessage = { role: "user", uuid: "u2" as Uuid, content: [{ type: "text", text: "go on" }] };
    const history: Message[] = [prompt, answered, goOn];

    const { messages } = repairHistory(history);

    expect(messages.slice(0, 2).map((message, index) => message === history[index])).toEqual([true, true]);
    expect(messages[2]).toEqual({
      role: "user",
      uuid: "u2",
      content: [
        {
          type: "tool_result",
          tool_use_id: "t1",
          content: "The tool call was interrupted before it gave a result.",
          is_error: true,
        },
        { type: "text", text: "go on" },
      ],
    });
  });

  test("a message that the repair adds has an id of its own, the same each time", () => {
    const close = () => repairHistory([prompt, answered], { as: "request" }).messages;

    expect(close()).toEqual(close());
    expect(close()[2]).toMatchObject({ role: "user", isMeta: true });
    expect(close()[2]?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
