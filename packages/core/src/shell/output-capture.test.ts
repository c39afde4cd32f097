import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputCapture } from "./output-capture.ts";

function capture(bytes: Buffer, chunkBytes: number, maxBytes: number, keep: "ends" | "head" = "ends") {
  const output = createOutputCapture(maxBytes, keep);
  for (let at = 0; at < bytes.length; at += chunkBytes) output.write(bytes.subarray(at, at + chunkBytes));
  return output.end();
}

test("output within the bound is given whole, with characters put together over chunks", () => {
  const text = "aé漢😀".repeat(50);
  for (const chunkBytes of [1, 2, 3, 7, 1_000]) {
    expect(capture(Buffer.from(text), chunkBytes, 10_000)).toEqual({ text, omittedBytes: 0 });
  }
});

test("output that just fits in head and tail together is whole", () => {
  expect(capture(Buffer.from("😀😀😀"), 5, 12)).toEqual({ text: "😀😀😀", omittedBytes: 0 });
});

test("of a longer output head and tail are kept and the bytes between are counted", () => {
  expect(capture(Buffer.from("0123456789abcdefghij"), 3, 8)).toEqual({
    text: "0123\n[... 12 bytes left out ...]\nghij",
    omittedBytes: 12,
  });
});

test("the head alone can be kept", () => {
  expect(capture(Buffer.from("0123456789"), 4, 6, "head")).toEqual({ text: "012345", omittedBytes: 4 });
});

test("a character that the cut would split is left out as a whole", () => {
  const { text, omittedBytes } = capture(Buffer.from("ab😀cdefgh😀yz"), 3, 10);
  expect(text).toBe("ab\n[... 14 bytes left out ...]\nyz");
  expect(omittedBytes).toBe(14);
});

test("whatever is written in whatever pieces, head and tail are those of the text and nothing is uncounted", () => {
  const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 200 }), (texts, chunk, max) => {
      const whole = texts.join("").toWellFormed();
      const { text, omittedBytes } = capture(Buffer.from(whole), chunk, max);
      if (omittedBytes === 0) return text === whole;
      const [head = "", tail = ""] = text.split(`\n[... ${omittedBytes} bytes left out ...]\n`);
      const keptBytes = Buffer.byteLength(head + tail);
      return (
        whole.startsWith(head) &&
        whole.endsWith(tail) &&
        keptBytes <= max &&
        keptBytes + omittedBytes === Buffer.byteLength(whole)
      );
    }),
  );
});
