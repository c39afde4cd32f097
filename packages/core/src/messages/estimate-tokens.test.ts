import { expect, test } from "vitest";
import type { ApiMessage } from "./api-message.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { pngOf } from "./media/image.test-data.ts";
import type { UserMessage, Uuid } from "./message.ts";

const user = (content: unknown): ApiMessage => ({ role: "user", content: content as string });
const image = (data: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
const pdf = (body: string) => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: Buffer.from(body).toString("base64") },
});

test.each([
  ["an empty list", [], 0],
  ["four letters", [user("abcd")], 1],
  ["five letters", [user("abcde")], 2],
  ["two messages, rounded up each", [user("a"), user("b")], 2],
  ["letters of more than one byte", [user("日本")], 2],
  ["a call: its name and input", [user([{ type: "tool_use", id: "x", name: "Read", input: { a: 1 } }])], 3],
  [
    "a result's blocks",
    [user([{ type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "abcdefgh" }] }])],
    2,
  ],
  ["a thought", [user([{ type: "thinking", thinking: "abcdefgh", signature: "x".repeat(99) }])], 2],
  ["a thought whose text was withheld", [user([{ type: "thinking", thinking: "", signature: "abcdefgh" }])], 2],
  ["an image by its pixels", [user([image(pngOf(750, 100))])], 100],
  ["a large image as it is scaled down", [user([image(pngOf(8000, 8000))])], 3279],
  ["an image that cannot be read", [user([image("AAAA")])], 1600],
  ["a PDF by its pages", [user([pdf("%PDF-1.7 /Type /Page /Type /Page /Type /Pages")])], 6000],
])("%s", (_name, messages, tokens) => {
  expect(estimateTokens(messages)).toBe(tokens);
});

test("the engine's own form counts the same", () => {
  const raw = { type: "text", text: "abcdefgh", citations: [1] };
  const message: UserMessage = { role: "user", uuid: "u" as Uuid, content: [{ type: "other", raw }] };

  expect(estimateTokens([message])).toBe(estimateTokens([user([raw])]));
});

test("whatever it is given, it does not throw", () => {
  const cycle: Record<string, unknown> = { type: "strange" };
  cycle["self"] = cycle;

  for (const content of [null, 7, [null, 7, cycle], [{ type: "tool_use", input: cycle }], {}]) {
    expect(estimateTokens([user(content)])).toBeGreaterThanOrEqual(0);
  }
  expect(estimateTokens([null as unknown as ApiMessage])).toBe(0);
});
