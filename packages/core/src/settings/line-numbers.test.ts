import { expect, test } from "vitest";
import { LineNumbers } from "./line-numbers.ts";

test("each offset has its line, from 1; a line break belongs to the line that it ends", () => {
  const text = "a\nbc\n\nd";
  const lines = new LineNumbers(text);
  expect([...text].map((_, at) => lines.at(at))).toEqual([1, 1, 2, 2, 2, 3, 4]);
  expect(new LineNumbers("").at(0)).toBe(1);
});
