import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines, TOO_LONG } from "./lines.ts";

async function linesOf(chunks: readonly Uint8Array[], maxLineBytes?: number): Promise<(string | symbol)[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: (string | symbol)[] = [];
  for await (const line of readLines(stream(), maxLineBytes)) {
    lines.push(line === TOO_LONG ? line : Buffer.from(line).toString());
  }
  return lines;
}

test("lines come whole however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(40)), async (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const places = [...new Set(cuts)].filter((cut) => cut < bytes.length).sort((a, b) => a - b);
      const chunks = [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));

      expect(await linesOf(chunks)).toEqual(lines);
    }),
  );
});

test("a last line needs no newline, and an empty input has no line", async () => {
  expect(await linesOf([Buffer.from("a\nb")])).toEqual(["a", "b"]);
  expect(await linesOf([])).toEqual([]);
});

test("a line that is too long is passed over, and those after it come", async () => {
  const chunks = ["ab\nabc", "defg", "h\nabcd\nabcde"].map((text) => Buffer.from(text));

  expect(await linesOf(chunks, 4)).toEqual(["ab", TOO_LONG, "abcd", TOO_LONG]);
});
