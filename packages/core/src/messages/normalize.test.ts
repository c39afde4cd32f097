import { describe, expect, test } from "vitest";
import type { ContentBlock, ModelId, ToolUseId, UserMessage, Uuid } from "./message.ts";
import { textOf } from "./message.ts";
import { fromApiBlock, fromApiContent, fromApiUsage, toApiBlock, toApiMessage, toApiUsage } from "./normalize.ts";

const provenance = { provider: "anthropic", model: "claude-sonnet-5" as ModelId };

describe("every block goes out as it came in", () => {
  const blocks = [
    { type: "text", text: "x" },
    { type: "text", text: "x", citations: [{ cited_text: "y" }] },
    { type: "text", text: "x", cache_control: { type: "ephemeral" } },
    { type: "thinking", thinking: "", signature: "c2ln" },
    { type: "thinking", thinking: "hm" },
    { type: "redacted_thinking", data: "c2Vhb" },
    { type: "tool_use", id: "a", name: "Read", input: { path: "x" } },
    { type: "tool_use", id: "a", name: "Read", input: {}, caller: { type: "direct" } },
    { type: "tool_use", id: "a", name: "Read", input: "cut" },
    { type: "tool_result", tool_use_id: "a", content: "x" },
    { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "x" }], is_error: true },
    { type: "tool_result", tool_use_id: "a", content: "x", cache_control: { type: "ephemeral" } },
    { type: "tool_result", tool_use_id: 7, content: "x" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" }, title: "t" },
    { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } },
    { type: "advisor_tool_result", tool_use_id: "b", content: { deep: [1] } },
  ];

  test.each(blocks)("%j", (block) => {
    expect(toApiBlock(fromApiBlock(block, provenance))).toEqual(block);
  });
});

test("kinds the engine does not know, and known ones with unknown fields, are carried whole", () => {
  const cited = { type: "text", text: "x", citations: [{ cited_text: "y" }] };

  expect(fromApiContent([cited, { type: "advisor" }])).toEqual([
    { type: "other", raw: cited },
    { type: "other", raw: { type: "advisor" } },
  ]);
});

test("a call with a field the engine does not know is still a call", () => {
  const block = { type: "tool_use", id: "a", name: "Read", input: {}, caller: { type: "direct" } };

  expect(fromApiBlock(block)).toEqual({ ...block, caller: undefined, extra: { caller: { type: "direct" } } });
});

test("who made a thought is kept beside it, and never sent", () => {
  const thought = { type: "thinking", thinking: "hm", signature: "c2ln" };

  expect(fromApiBlock(thought, provenance)).toEqual({ ...thought, provenance });
  expect(toApiBlock(fromApiBlock(thought, provenance))).toEqual(thought);
});

test("a message goes out as role and content alone; what did not parse stays here", () => {
  const call: ContentBlock = { type: "tool_use", id: "a" as ToolUseId, name: "Read", input: {}, unparsedInput: "{" };
  const message: UserMessage = { role: "user", uuid: "u" as Uuid, content: [call], isMeta: true, toolUseResult: {} };

  expect(toApiMessage(message)).toEqual({
    role: "user",
    content: [{ type: "tool_use", id: "a", name: "Read", input: {} }],
  });
});

test("a string is one text, and what is no block is told as text", () => {
  expect(fromApiContent("x")).toEqual([{ type: "text", text: "x" }]);
  expect(fromApiContent("")).toEqual([]);
  expect(fromApiContent(7)).toEqual([]);
  expect(fromApiContent(["x", { a: 1 }, null])).toEqual([
    { type: "text", text: "x" },
    { type: "text", text: '{"a":1}' },
    { type: "text", text: "null" },
  ]);
});

test("the text of a message includes what is cited", () => {
  expect(
    textOf(
      fromApiContent([
        { type: "text", text: "a " },
        { type: "text", text: "b", citations: [{}] },
      ]),
    ),
  ).toBe("a b");
});

describe("usage", () => {
  test("goes out and in without loss", () => {
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, thinking: 6 };

    expect(toApiUsage(usage)).toEqual({
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 9,
      cache_read_input_tokens: 3,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
      output_tokens_details: { thinking_tokens: 6 },
    });
    expect(fromApiUsage(toApiUsage(usage))).toEqual(usage);
  });

  test("what is missing is 0, and cache writes without a lifetime are short ones", () => {
    expect(fromApiUsage({ input_tokens: 1, output_tokens: null, cache_creation_input_tokens: 7 })).toEqual({
      input: 1,
      output: 0,
      cacheRead: 0,
      cacheWrite5m: 7,
      cacheWrite1h: 0,
    });
    expect(fromApiUsage({ input_tokens: 1e308, output_tokens: -3, cache_read_input_tokens: "7" })).toEqual(
      fromApiUsage(null),
    );
    expect(fromApiUsage(null)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 });
  });
});
