import { expect, test } from "vitest";
import { editDistance } from "./edit-distance.ts";

test.each([
  ["model", "model", 0],
  ["model", "modle", 2],
  ["hooks", "hook", 1],
  ["", "env", 3],
  ["kitten", "sitting", 3],
])("from %j to %j it is so many letters: %i", (one, other, letters) => {
  expect(editDistance(one, other, 5)).toBe(letters);
  expect(editDistance(other, one, 5)).toBe(letters);
});

test("beyond the bound it is not counted any further", () => {
  expect(editDistance("kitten", "sitting", 2)).toBe(3);
  expect(editDistance("abcdefgh", "zzzzzzzz", 2)).toBe(3);
  expect(editDistance("a".repeat(100_000_000), "model", 2)).toBe(3);
});
