import { describe, expect, test } from "vitest";
import type { ApiBlock, ApiMessage } from "./api-message.ts";
import { jpegOf, pngOf, webpOf } from "./media/image.test-data.ts";
import type { ViolationOptions } from "./rule-options.ts";
import { violations } from "./violations.ts";

const user = (...content: ApiBlock[]): ApiMessage => ({ role: "user", content });
const answer = (...content: ApiBlock[]): ApiMessage => ({ role: "assistant", content });
const hello: ApiMessage = { role: "user", content: "Hello." };
const hi: ApiMessage = { role: "assistant", content: "Hi." };
const text = (value: string): ApiBlock => ({ type: "text", text: value });
const use = (id: string, fields: object = {}): ApiBlock => ({
  type: "tool_use",
  id,
  name: "Read",
  input: {},
  ...fields,
});
const result = (id: string, content: unknown = "done", fields: object = {}): ApiBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...fields,
});
const thought: ApiBlock = { type: "thinking", thinking: "hm", signature: "c2ln" };
const search: ApiBlock = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const found: ApiBlock = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const image = (data: string, media_type = "image/png"): ApiBlock => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const pdf = (body: string): ApiBlock => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: Buffer.from(body).toString("base64") },
});
const marked = (block: ApiBlock): ApiBlock => ({ ...block, cache_control: { type: "ephemeral" } });
const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

type Case = { rule: number; what: string; messages: unknown; options?: ViolationOptions; at: string };

const request = { as: "request" } as const;

const broken: Case[] = [
  { rule: 1, what: "an answer first", messages: [hi, hello], at: "messages[0]" },
  { rule: 1, what: "an answer last, to be sent", messages: [hello, hi], options: request, at: "messages[1]" },
  { rule: 1, what: "nothing, to be sent", messages: [], options: request, at: "messages" },
  { rule: 2, what: "two prompts running", messages: [hello, hello], at: "messages[1]" },
  { rule: 2, what: "two answers running", messages: [hello, hi, hi], at: "messages[2]" },
  { rule: 2, what: "another role", messages: [hello, { role: "system", content: "x" }], at: "messages[1].role" },
  { rule: 3, what: "no list", messages: null, at: "messages" },
  { rule: 3, what: "no message", messages: [hello, 7], at: "messages[1]" },
  { rule: 3, what: "an empty string", messages: [{ role: "user", content: "" }], at: "messages[0].content" },
  { rule: 3, what: "no blocks", messages: [user()], at: "messages[0].content" },
  { rule: 3, what: "no content", messages: [{ role: "user" }], at: "messages[0].content" },
  { rule: 3, what: "a blank text (B6)", messages: [user(text("\n\n"))], at: "messages[0].content[0]" },
  { rule: 3, what: "a block of no type", messages: [user(text("x"), {} as ApiBlock)], at: "messages[0].content[1]" },
  {
    rule: 3,
    what: "a blank text in a result",
    messages: [hello, answer(use("a")), user(result("a", [text(" ")]))],
    at: "messages[2].content[0].content[0]",
  },
  {
    rule: 4,
    what: "a call without a result (B1)",
    messages: [hello, answer(use("a"), use("b")), user(result("a"))],
    at: "messages[1].content[1]",
  },
  { rule: 4, what: "a result without its call", messages: [user(result("a"))], at: "messages[0].content[0]" },
  {
    rule: 4,
    what: "two results of one call",
    messages: [hello, answer(use("a")), user(result("a"), result("a"))],
    at: "messages[2].content[1]",
  },
  {
    rule: 4,
    what: "a result after other content (B2)",
    messages: [hello, answer(use("a")), user(text("and"), result("a"))],
    at: "messages[2].content[1]",
  },
  { rule: 4, what: "a call of the user's", messages: [user(use("a"))], at: "messages[0].content[0]" },
  { rule: 4, what: "a result in an answer", messages: [hello, answer(result("a"))], at: "messages[1].content[0]" },
  {
    rule: 5,
    what: "an id used twice",
    messages: [hello, answer(use("a")), user(result("a")), answer(use("a")), user(result("a"))],
    at: "messages[3].content[0].id",
  },
  { rule: 5, what: "an id with a space", messages: [hello, answer(use("a b"))], at: "messages[1].content[0].id" },
  {
    rule: 5,
    what: "an input that is text",
    messages: [hello, answer(use("a", { input: "{}" }))],
    at: "messages[1].content[0].input",
  },
  {
    rule: 5,
    what: "an input that is a list",
    messages: [hello, answer(use("a", { input: [] }))],
    at: "messages[1].content[0].input",
  },
  {
    rule: 5,
    what: "a name of 129 letters",
    messages: [hello, answer(use("a", { name: "x".repeat(129) }))],
    at: "messages[1].content[0].name",
  },
  ...[undefined, "", " \n", [], 7, [{ type: "resource_link", uri: "x" }]].map((content) => ({
    rule: 6,
    what: `a result that holds ${JSON.stringify(content)}`,
    messages: [hello, answer(use("a")), user({ type: "tool_result", tool_use_id: "a", content })],
    at: "messages[2].content[0]",
  })),
  {
    rule: 6,
    what: "an error that says nothing",
    messages: [hello, answer(use("a")), user(result("a", "", { is_error: true }))],
    at: "messages[2].content[0]",
  },
  {
    rule: 7,
    what: "half a thought (B3)",
    messages: [hello, answer({ ...thought, signature: "" }, text("x"))],
    at: "messages[1].content[0]",
  },
  {
    rule: 7,
    what: "the other half (B3)",
    messages: [hello, answer({ type: "thinking", signature: "c2ln" }, text("x"))],
    at: "messages[1].content[0]",
  },
  {
    rule: 7,
    what: "a sealed thought without data",
    messages: [hello, answer({ type: "redacted_thinking" }, text("x"))],
    at: "messages[1].content[0]",
  },
  { rule: 7, what: "a thought alone (B5)", messages: [hello, answer(thought), hello], at: "messages[1].content[0]" },
  { rule: 7, what: "a thought last", messages: [hello, answer(text("x"), thought)], at: "messages[1].content[1]" },
  { rule: 7, what: "a thought of the user's", messages: [user(thought, text("x"))], at: "messages[0].content[0]" },
  {
    rule: 7,
    what: "a thought of another model, to be sent",
    messages: [hello, { ...answer(thought, text("x")), model: "claude-opus-5" }, hello],
    options: { ...request, model: "claude-sonnet-5" },
    at: "messages[1].content[0]",
  },
  {
    rule: 7,
    what: "a thought that is not what was received",
    messages: [hello, answer({ ...thought, thinking: "hmm" }, text("x"))],
    options: { received: [answer(thought, text("x"))] },
    at: "messages[1].content[0]",
  },
  {
    rule: 7,
    what: "an open tool cycle without its thought, while thinking is on",
    messages: [hello, answer(use("a")), user(result("a"))],
    options: { ...request, thinking: "on", received: [answer(thought, use("a"))] },
    at: "messages[2]",
  },
  {
    rule: 8,
    what: "a server tool use without its result",
    messages: [hello, answer(search, text("x"))],
    at: "messages[1].content[0]",
  },
  {
    rule: 8,
    what: "a server tool result without its use",
    messages: [hello, answer(found, text("x"))],
    at: "messages[1].content[0]",
  },
  { rule: 9, what: "an image of no known kind", messages: [user(image("AAAA"))], at: "messages[0].content[0]" },
  {
    rule: 9,
    what: "an image of another kind",
    messages: [user(image(pngOf(1, 1), "image/jpeg"))],
    at: "messages[0].content[0]",
  },
  { rule: 9, what: "an image that is no base64", messages: [user(image("a b!"))], at: "messages[0].content[0]" },
  { rule: 9, what: "an image 8001 pixels wide", messages: [user(image(pngOf(8001, 1)))], at: "messages[0].content[0]" },
  {
    rule: 9,
    what: "a JPEG 8001 pixels high, in a result",
    messages: [hello, answer(use("a")), user(result("a", [image(jpegOf(1, 8001), "image/jpeg")]))],
    at: "messages[2].content[0].content[0]",
  },
  {
    rule: 9,
    what: "an image over 5 MB",
    messages: [user(image(pngOf(1, 1).padEnd(5 * 1024 * 1024 + 4, "A")))],
    at: "messages[0].content[0]",
  },
  {
    rule: 9,
    what: "2001 pixels among 21 images (B9)",
    messages: [user(...Array.from({ length: 20 }, () => image(pngOf(9, 9))), image(webpOf(2001, 1), "image/webp"))],
    at: "messages[0].content[20]",
  },
  {
    rule: 9,
    what: "101 images for a small window",
    messages: [user(...Array.from({ length: 101 }, () => image(pngOf(9, 9))))],
    options: { model: "claude-haiku-4-5-20251001" },
    at: "messages",
  },
  {
    rule: 9,
    what: "601 images",
    messages: [user(...Array.from({ length: 601 }, () => image(pngOf(9, 9))))],
    at: "messages",
  },
  { rule: 9, what: "a PDF that is none", messages: [user(pdf("hello"))], at: "messages[0].content[0]" },
  {
    rule: 9,
    what: "a PDF of 101 pages for a small window",
    messages: [user(pdf(`%PDF-1.7 ${"<< /Type /Page >> ".repeat(101)}`))],
    options: { contextTokens: 200_000 },
    at: "messages[0].content[0]",
  },
  { rule: 10, what: "a lone surrogate (B8)", messages: [user(text("\ud83d"))], at: "messages[0].content[0]" },
  {
    rule: 10,
    what: "a lone surrogate deep in an input (B8)",
    messages: [hello, answer(use("a", { input: { a: ["\udc00"] } }))],
    at: "messages[1].content[0]",
  },
  { rule: 10, what: "a cycle", messages: [hello, answer(use("a", { input: cyclic }))], at: "messages[1].content[0]" },
  { rule: 10, what: "more than 32 MB", messages: [user(text("x".repeat(32 * 1024 * 1024)))], at: "messages" },
  {
    rule: 11,
    what: "five cache marks",
    messages: [user(...Array.from({ length: 5 }, () => marked(text("x"))))],
    at: "messages",
  },
  {
    rule: 11,
    what: "a cache mark on a thought",
    messages: [hello, answer(marked(thought), text("x"))],
    at: "messages[1].content[0]",
  },
  { rule: 12, what: "no room for an answer", messages: [hello], options: { maxTokens: 0 }, at: "max_tokens" },
  {
    rule: 12,
    what: "more than the model gives",
    messages: [hello],
    options: { maxTokens: 9000, maxOutputTokens: 8000 },
    at: "max_tokens",
  },
  {
    rule: 12,
    what: "more than a small window holds",
    messages: [user(text("x".repeat(400_000)))],
    options: { maxTokens: 120_000, contextTokens: 200_000 },
    at: "max_tokens",
  },
];

describe("each rule finds what breaks it, alone", () => {
  for (const { rule, what, messages, options, at } of broken) {
    test(`rule ${rule}: ${what}`, () => {
      const found = violations(messages as ApiMessage[], options);

      expect(found.map((violation) => [violation.rule, violation.at])).toEqual([[rule, at]]);
    });
  }

  test("an open answer, to be sent, breaks two: its call has no result, and the user does not come last", () => {
    const found = violations([hello, answer(use("a"))], request);

    expect(found.map(({ rule }) => rule)).toEqual([1, 4]);
  });
});

const healthy: { what: string; messages: ApiMessage[]; options?: ViolationOptions }[] = [
  { what: "nothing at all", messages: [] },
  { what: "a prompt", messages: [hello], options: request },
  { what: "an open answer at the end of a history", messages: [hello, answer(thought, use("a"))] },
  { what: "a history that ends with an answer", messages: [hello, hi] },
  {
    what: "results first, then text",
    messages: [hello, answer(use("a")), user(result("a"), text("and"))],
    options: request,
  },
  {
    what: "a paused answer, sent back as it is",
    messages: [hello, { ...answer(thought, search), stop_reason: "pause_turn" }],
    options: request,
  },
  { what: "a thought whose text was withheld", messages: [hello, answer({ ...thought, thinking: "" }, text("x"))] },
  { what: "thoughts between calls", messages: [hello, answer(thought, text("x"), thought, use("a"))] },
  {
    what: "a thought of the same model under its dated name",
    messages: [hello, { ...answer(thought, text("x")), model: "claude-haiku-4-5-20251001" }, hello],
    options: { ...request, model: "claude-haiku-4-5" },
  },
  {
    what: "a thought of another model, kept in a history",
    messages: [hello, { ...answer(thought, text("x")), model: "a-1" }],
    options: { model: "b-2" },
  },
  {
    what: "an open tool cycle with its thought",
    messages: [hello, answer(thought, use("a")), user(result("a"))],
    options: { ...request, thinking: { type: "adaptive" }, received: [answer(thought, use("a"))] },
  },
  { what: "a server tool with its result", messages: [hello, answer(search, found, text("x"))] },
  { what: "a block of a kind nobody knows", messages: [hello, answer({ type: "advisor", seen: 1 }, text("x"))] },
  {
    what: "20 images, one of them large",
    messages: [user(...Array.from({ length: 19 }, () => image(pngOf(9, 9))), image(pngOf(2001, 1)))],
  },
  {
    what: "101 images for a large window",
    messages: [user(...Array.from({ length: 101 }, () => image(pngOf(9, 9))))],
    options: { model: "claude-sonnet-5-5" },
  },
  {
    what: "an image by its address",
    messages: [user({ type: "image", source: { type: "url", url: "https://example.com/a.png" } })],
  },
  { what: "four cache marks", messages: [user(...Array.from({ length: 4 }, () => marked(text("x"))))] },
];

describe("what the API takes is left alone", () => {
  for (const { what, messages, options } of healthy) {
    test(what, () => expect(violations(messages, options)).toEqual([]));
  }
});
