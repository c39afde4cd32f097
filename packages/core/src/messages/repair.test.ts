import { describe, expect, test } from "vitest";
import {
  answer,
  hello,
  interrupted,
  repaired,
  repairsOf,
  result,
  text,
  thought,
  use,
  user,
} from "../../test/support/repaired-messages.ts";
import type { AssistantMessage, Message, ModelId, ToolUseId, UserMessage, Uuid } from "./message.ts";
import { repairHistory } from "./repair.ts";

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
