import { Writable } from "node:stream";
import type { SdkMessage } from "@pawl/core";
import { expect, test } from "vitest";
import { Output } from "../output.ts";
import { FrameWriter } from "./frame-writer.ts";

const envelope = { uuid: "u", session_id: "s" };
const note = (content: string): SdkMessage => ({
  ...envelope,
  type: "system",
  subtype: "informational",
  content,
  level: "info",
});

function collecting(options: { delayMs?: number } = {}) {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      setTimeout(done, options.delayMs ?? 0);
    },
  });
  return { writes, stream };
}

test("frames of one instant go out in one write, each on a line of its own", async () => {
  const { writes, stream } = collecting();
  const writer = new FrameWriter(new Output(stream));

  await writer.show(note("one"));
  await writer.show(note("two\nlines"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await writer.show(note("three"));
  await writer.close();

  expect(writes.map((text) => text.split("\n").length - 1)).toEqual([2, 1]);
  expect(writes.join("")).toBe(
    [note("one"), note("two\nlines"), note("three")].map((n) => `${JSON.stringify(n)}\n`).join(""),
  );
});

test("a slow reader holds up the turn instead of filling the memory", async () => {
  const { writes, stream } = collecting({ delayMs: 20 });
  const writer = new FrameWriter(new Output(stream));
  const big = note("x".repeat(200_000));
  let shown = 0;

  const showing = (async () => {
    for (; shown < 10; shown++) await writer.show(big);
  })();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(shown).toBeLessThan(5);
  await showing;
  await writer.close();

  expect(writes.join("").length).toBe(10 * (JSON.stringify(big).length + 1));
});

test("a structured result that would make the line too long for consumers is left out", async () => {
  const { writes, stream } = collecting();
  const writer = new FrameWriter(new Output(stream));
  const message = {
    role: "user" as const,
    content: [{ type: "tool_result" as const, tool_use_id: "t", content: "short" }],
  };
  const frame = { ...envelope, type: "user" as const, message, parent_tool_use_id: null };

  await writer.show({ ...frame, tool_use_result: { originalFile: "x".repeat(1_100_000) } });
  await writer.close();

  expect(JSON.parse(writes.join(""))).toEqual(frame);
});
