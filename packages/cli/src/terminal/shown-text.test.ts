import { expect, test } from "vitest";
import { rowsIn, wordRowsIn } from "./shown-text.ts";

test("a line is broken behind its blanks, and nothing of it is lost", () => {
  const line = "lets tools run without asking: Bash(touch *)";
  expect(wordRowsIn(line, 20)).toEqual(["lets tools run ", "without asking: ", "Bash(touch *)"]);
  expect(wordRowsIn(line, 20).join("")).toBe(line);
});

test("a word that fills more than half a row is broken anywhere, and wide characters count twice", () => {
  expect(wordRowsIn("a /tmp/very/long/path", 10)).toEqual(["a /tmp/ver", "y/long/pat", "h"]);
  expect(wordRowsIn("日本語 テキスト", 8)).toEqual(["日本語 ", "テキスト"]);
  expect(rowsIn("ab cd ef", 4)).toEqual(["ab c", "d ef"]);
});
