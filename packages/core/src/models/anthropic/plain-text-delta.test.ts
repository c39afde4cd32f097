import fc from "fast-check";
import { expect, test } from "vitest";
import { plainTextDelta } from "./plain-text-delta.ts";

const SEED = 20261103;

const delta = (index: number, text: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text },
});

test("a text without escapes is read from its place", () => {
  expect(plainTextDelta(JSON.stringify(delta(0, "Hello, wörld 😀")))).toEqual({ index: 0, text: "Hello, wörld 😀" });
  expect(plainTextDelta(JSON.stringify(delta(12, "")))).toEqual({ index: 12, text: "" });
});

test.each([
  JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "x" } }),
  JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a", more: "b" } }),
  JSON.stringify({ type: "content_block_delta", index: 0, delta: { text: "a", type: "text_delta" } }),
  JSON.stringify({ ...delta(0, "a"), more: {} }),
  `${JSON.stringify(delta(0, "a"))}  `,
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"}}',
  '{"type":"content_block_delta","index":,"delta":{"type":"text_delta","text":"a"}}',
  '{"type":"content_block_delta","index":"0","delta":{"type":"text_delta","text":"a"}}',
  JSON.stringify({ type: "ping" }),
  "",
])("%s is left to the parser", (data) => {
  expect(plainTextDelta(data)).toBeUndefined();
});

test("whatever it reads is what the parser reads", () => {
  const text = fc.string({ unit: fc.constantFrom('"', "\\", "}", "a", "ü", "\n", " ", '"}}', "😀") });
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), text, (index, text) => {
      const isEscaped = JSON.stringify(text) !== `"${text}"`;
      const expected = isEscaped || index > 9_999 ? undefined : { index, text };
      expect(plainTextDelta(JSON.stringify(delta(index, text)))).toEqual(expected);
    }),
    { seed: SEED, numRuns: 500 },
  );
});
