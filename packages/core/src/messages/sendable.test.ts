import { expect, test } from "vitest";
import type { ContentBlock } from "./message.ts";
import { unsendable } from "./sendable.ts";

const text: ContentBlock = { type: "text", text: "Hm." };
const thought: ContentBlock = { type: "thinking", thinking: "hm", signature: "s" };
const sealed: ContentBlock = { type: "redacted_thinking", data: "x" };
const search = (id: string): ContentBlock => ({
  type: "other",
  raw: { type: "server_tool_use", id, name: "web_search", input: {} },
});
const found = (id: string): ContentBlock => ({
  type: "other",
  raw: { type: "web_search_tool_result", tool_use_id: id, content: [] },
});
const unsigned: ContentBlock = { type: "other", raw: { type: "thinking", thinking: "hm" } };
const given = { type: "tool_result", tool_use_id: "toolu_1", content: "x" } as unknown as ContentBlock;
const use = { type: "tool_use", id: "toolu_1", name: "Read", input: {} } as unknown as ContentBlock;

test.each<[what: string, blocks: ContentBlock[], unsendable: number[]]>([
  ["a whole answer", [thought, text, search("a"), found("a"), use], []],
  ["thinking at the end", [thought, text, { ...thought }, sealed], [2, 3]],
  ["thinking alone", [thought], [0]],
  ["a search whose result has not come", [text, search("a")], [1]],
  ["thinking before a search whose result has not come", [text, thought, search("a")], [1, 2]],
  ["a result without its search", [found("b"), text], [0]],
  ["nothing", [], []],
  ["thinking without its signature", [unsigned, text], [0]],
  ["a result of a call of ours, which only we give", [given, text], [0]],
])("%s", (_what, blocks, expected) => {
  const left = unsendable(blocks);

  expect(blocks.flatMap((block, index) => (left.has(block) ? [index] : []))).toEqual(expected);
});
