import { describe, expect, test } from "vitest";
import { halfAnswer, modelId, wholeAnswer } from "../../../test/support/anthropic.ts";
import type { ModelEvent } from "../model.ts";
import { eventsOfWhole } from "./one-piece.ts";
import { Answer } from "./stream.ts";

const provenance = { provider: "anthropic", model: modelId("claude-sonnet-5-5") };
const [start = { type: "" }] = halfAnswer("");
const stop = { type: "message_stop" };

const opens = (content_block: object, index = 0) => ({ type: "content_block_start", index, content_block });
const grows = (delta: object, index = 0) => ({ type: "content_block_delta", index, delta });
const closes = (index = 0) => ({ type: "content_block_stop", index });
const tool = { type: "tool_use", id: "toolu_1", name: "Write", input: {} };
const json = (partial_json: string) => grows({ type: "input_json_delta", partial_json });

function eventsOf(...events: readonly object[]): readonly ModelEvent[] {
  const answer = new Answer({ provenance, includeRaw: false, requestId: undefined });
  for (const event of events) answer.accept(JSON.stringify(event), "");
  return answer.drain();
}

const blocksOf = (...events: readonly object[]) =>
  eventsOf(start, ...events, stop).flatMap((event) => (event.type === "block_end" ? [event.block] : []));

const endOf = (...events: readonly object[]) => eventsOf(start, ...events, stop).at(-1);

describe("the input of a tool call", () => {
  test("is joined of its pieces, none or an empty one is an empty object", () => {
    expect(blocksOf(opens(tool), json(""), json('{"path": '), json('"a"}'), closes())).toEqual([
      { ...tool, input: { path: "a" } },
    ]);
    expect(blocksOf(opens(tool), closes())).toEqual([tool]);
    expect(blocksOf(opens(tool), json(""), closes())).toEqual([tool]);
  });

  test("that came whole at the start is kept", () => {
    expect(blocksOf(opens({ ...tool, input: { path: "a" } }), closes())).toEqual([{ ...tool, input: { path: "a" } }]);
  });

  test.each(['{"path": "a', "[1]", "7", "null", '"text"'])(
    "that is %s is kept as text and never as an input",
    (text) => {
      expect(blocksOf(opens(tool), json(text), closes())).toEqual([{ ...tool, unparsedInput: text }]);
    },
  );
});

describe("opaque blocks", () => {
  test("thinking has its signature and who made it", () => {
    expect(
      blocksOf(
        opens({ type: "thinking", thinking: "", signature: "" }),
        grows({ type: "thinking_delta", thinking: "Hm" }),
        grows({ type: "thinking_delta", thinking: "m." }),
        grows({ type: "signature_delta", signature: "c2ln" }),
        closes(),
        opens({ type: "redacted_thinking", data: "eA==" }, 1),
        closes(1),
      ),
    ).toEqual([
      { type: "thinking", thinking: "Hmm.", signature: "c2ln", provenance },
      { type: "redacted_thinking", data: "eA==", provenance },
    ]);
  });

  test("unknown kinds and unknown deltas are carried and passed over", () => {
    const raw = { type: "hologram", shape: { sides: 6 } };

    expect(blocksOf(opens(raw), grows({ type: "spin_delta", by: 7 }), closes(), { type: "weather" })).toEqual([
      { type: "other", raw },
    ]);
  });

  test("a delta for a block that never began is passed over", () => {
    expect(blocksOf(grows({ type: "text_delta", text: "lost" }, 3), closes(3))).toEqual([]);
  });
});

describe("the end of an answer", () => {
  const delta = (stop_reason: string | null, usage: object = {}) => ({
    type: "message_delta",
    delta: { stop_reason },
    usage,
  });

  test("an unknown stop reason and none are said to be unknown", () => {
    expect(endOf(delta("compaction"))).toMatchObject({ type: "message_end", stop: "unknown" });
    expect(endOf()).toMatchObject({ type: "message_end", stop: "unknown" });
    expect(endOf(delta("pause_turn"))).toMatchObject({ type: "message_end", stop: "pause_turn" });
  });

  test("usage replaces what it names and leaves what it does not know", () => {
    const more = {
      input_tokens: 61,
      cache_read_input_tokens: null,
      output_tokens: 2,
      output_tokens_details: { thinking_tokens: 1 },
    };

    expect(endOf(delta("end_turn", more))).toEqual({
      type: "message_end",
      stop: "end_turn",
      usage: { input: 61, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, thinking: 1 },
    });
  });

  test("text that was never closed is kept, a call that was not is named and does not come", () => {
    expect(eventsOf(...halfAnswer("The first ha"), delta("max_tokens"), stop).slice(1)).toMatchObject([
      { type: "block_end", index: 0, block: { type: "text", text: "The first ha" } },
      { type: "message_end", stop: "max_tokens", cutBlock: { type: "text" } },
    ]);
    expect(eventsOf(start, opens(tool), json('{"path": "a'), delta("max_tokens"), stop).slice(1)).toMatchObject([
      {
        type: "message_end",
        stop: "max_tokens",
        cutBlock: { type: "tool_use", toolName: "Write", partialJson: '{"path": "a' },
      },
    ]);
  });

  test("at the output limit cuts a call of which no input came, also one in one piece; more after it makes it whole", () => {
    const cutBlock = { type: "tool_use", toolName: "Write" };

    expect(endOf(opens(tool), closes(), delta("max_tokens"))).toMatchObject({ stop: "max_tokens", cutBlock });
    expect(blocksOf(opens(tool), closes(), delta("max_tokens"))).toEqual([]);
    expect(blocksOf(...[...eventsOfWhole({ content: [tool], stop_reason: "max_tokens" })].slice(1, -1))).toEqual([]);
    expect(
      blocksOf(opens(tool), closes(), opens({ type: "text", text: "x" }, 1), closes(1), delta("max_tokens")),
    ).toEqual([tool, { type: "text", text: "x" }]);
    expect(blocksOf(opens(tool), json("{}"), closes(), delta("max_tokens"))).toEqual([tool]);
  });

  test("comes once, and a new start after it or before it begins anew", () => {
    const types = (...events: readonly object[]) => eventsOf(...events).map((event) => event.type);
    const whole = wholeAnswer("Hello.");

    expect(types(...whole, stop, stop)).toEqual(["message_start", "block_end", "message_end"]);
    expect(types(...whole, ...whole)).toEqual([...types(...whole), ...types(...whole)]);
    expect(eventsOf(...halfAnswer("Lost"), ...whole).slice(1)).toEqual(eventsOf(...whole));
    expect(types(stop)).toEqual([]);
  });
});
