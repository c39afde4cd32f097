import { expect, test } from "vitest";
import { editDistance, nearestName } from "./edit-distance.ts";

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

test("the nearest name is one that a slip of the pen leads to, or none", () => {
  const names = ["Bash", "Read", "WebFetch", "LS"];
  const meant = ["bash", "Bsah", "Webfetch", "Red", "Ls", "Fooo", "cat", ""].map((text) => nearestName(text, names));
  expect(meant).toEqual(["Bash", "Bash", "WebFetch", "Read", "LS", undefined, undefined, undefined]);
});
