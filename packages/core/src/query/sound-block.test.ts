import { expect, test } from "vitest";
import type { ContentBlock, ToolUseId } from "../messages/message.ts";
import { soundBlock } from "./sound-block.ts";

const use = (id: string, name = "Read", input: Record<string, unknown> = {}): ContentBlock => ({
  type: "tool_use",
  id: id as ToolUseId,
  name,
  input,
});

test("a sound call is kept as it is, and its id is used from then on", () => {
  const used = new Set<string>();
  const block = use("toolu_1");

  expect(soundBlock(block, used, () => "m")).toBe(block);
  expect(soundBlock(block, used, () => "m")).toEqual(use("toolu_m"));
});

test.each([
  ["", "toolu_m"],
  ["call:1/x", "toolu_m"],
])("the id %j, which the API refuses, becomes another", (id, wanted) => {
  expect(soundBlock(use(id), new Set(), () => "m")).toEqual(use(wanted));
});

test.each([
  ["my tool!", "my_tool_"],
  ["", "unnamed"],
  ["x".repeat(300), "x".repeat(128)],
])("the name %j becomes one that can be sent back", (name, wanted) => {
  expect(soundBlock(use("a", name), new Set(), () => "m")).toEqual(use("a", wanted));
});

test("input that cannot be written again never runs", () => {
  let input: Record<string, unknown> = {};
  for (let depth = 0; depth < 50_000; depth++) input = { input };

  expect(soundBlock(use("a", "Read", input), new Set(), () => "m")).toMatchObject({
    input: {},
    unparsedInput: expect.any(String),
  });
});

test("a blank text is left out, also beside a call (B6)", () => {
  expect(soundBlock({ type: "text", text: "\n\n" }, new Set(), () => "m")).toBeUndefined();
});

test.each<[what: string, raw: { type: string; [field: string]: unknown }, sound: object]>([
  ["no id", { type: "tool_use", name: "Read", input: {} }, use("toolu_m")],
  ["a number for an id", { type: "tool_use", id: 7, name: "Read", input: {} }, use("toolu_m")],
  ["no name", { type: "tool_use", id: "a", input: {} }, use("a", "unnamed")],
  ["no input", { type: "tool_use", id: "a", name: "Read" }, use("a")],
  ["a list for input", { type: "tool_use", id: "a", name: "Read", input: [1] }, { ...use("a"), unparsedInput: "[1]" }],
])("a call with %s is a call, so that it gets a result", (_what, raw, sound) => {
  expect(soundBlock({ type: "other", raw }, new Set(), () => "m")).toEqual(sound);
});

test("what is nested too deeply to be written again is left out of other kinds, and their text kept", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 50_000; depth++) deep = { deep };
  const strange: ContentBlock = { type: "other", raw: { type: "strange", deep } };
  const cited: ContentBlock = { type: "other", raw: { type: "text", text: "So.", citations: [deep] } };
  const call: ContentBlock = { ...use("a"), extra: { deep } } as ContentBlock;

  expect(soundBlock(strange, new Set(), () => "m")).toBeUndefined();
  expect(soundBlock(cited, new Set(), () => "m")).toEqual({ type: "text", text: "So." });
  expect(soundBlock(call, new Set(), () => "m")).toEqual(use("a"));
});
