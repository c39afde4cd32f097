import { describe, expect, test } from "vitest";
import { createOutputCleaner } from "./clean-output.ts";

/** What comes of a text that arrives in pieces of these lengths, the last one over and over. */
function clean(text: string, ...pieces: number[]): string {
  const cleaner = createOutputCleaner();
  const bytes = Buffer.from(text);
  const given: Buffer[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = pieces[Math.min(piece, pieces.length - 1)] ?? bytes.length;
    given.push(Buffer.from(cleaner.write(bytes.subarray(at, at + size))));
    at += size;
  }
  return Buffer.concat([...given, cleaner.flush()]).toString();
}

const cases = [
  ["plain text is given as it is", "a\nß 😀\nb", "a\nß 😀\nb"],
  ["a line that redraws itself is given as it stood last", "10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n"],
  ["a redraw at the end without a newline too", "10 %\r50 %\r", "50 %"],
  ["the line ends of Windows become those of this system", "a\r\nb\r\n\r\nc", "a\nb\n\nc"],
  ["colours go", "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mß\x1b[m\n", "red ß\n"],
  ["titles and links go", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\n", "ab\n"],
  ["a spinner that moves to the first column is a redraw", "\x1b[2K\x1b[1G- one\x1b[2K\x1b[1G| two\n", "| two\n"],
  ["other sequences go", "\x1b(B\x1b=a\x1b7\x1b[?25lb\x1bPq#0\x1b\\c\n", "abc\n"],
  ["a title that has no end takes nothing of the next line", "\x1b]0;open\nnext\n", "]0;open\nnext\n"],
  ["a lone escape goes, at the end too", "a\x1b\nb\x1b", "a\nb"],
] as const;

describe("whatever pieces it comes in,", () => {
  test.each(cases)("%s", (_what, text, expected) => {
    const sizes = [[], [1], [2], [3], [5], [1, 7]];
    expect(sizes.map((pieces) => clean(text, ...pieces))).toEqual(sizes.map(() => expected));
  });
});

test("what a question without a newline shows can be had at once, and its redraw is a new line", () => {
  const cleaner = createOutputCleaner();
  const write = (text: string) => cleaner.write(Buffer.from(text)).toString();
  expect([write("Go on? "), cleaner.flush().toString(), write("y\nOn"), write("\rOff\n")]).toEqual([
    "",
    "Go on? ",
    "y\n",
    "Off\n",
  ]);
  expect([write("1 %\r"), cleaner.flush().toString(), write("2 %\n")]).toEqual(["", "1 %", "\n2 %\n"]);
});

test("100,000 redraws are one line, and a line of 50 MB needs no more memory than its pieces", () => {
  const cleaner = createOutputCleaner();
  let given = 0;
  for (let update = 1; update <= 100_000; update++) given += cleaner.write(Buffer.from(`\r${update} of 100000`)).length;
  expect([given, cleaner.flush().toString()]).toEqual([0, "100000 of 100000"]);

  const piece = Buffer.alloc(64 * 1024, "x");
  let length = 0;
  for (let at = 0; at < 50 * 1024 ** 2; at += piece.length) length += cleaner.write(piece).length;
  expect(length + cleaner.flush().length).toBe(50 * 1024 ** 2);
});
