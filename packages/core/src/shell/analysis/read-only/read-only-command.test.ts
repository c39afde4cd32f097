import { expect, test } from "vitest";
import { isReadOnlyCommand } from "./read-only-command.ts";

test.each([
  "ls -la | wc -l",
  "git log --oneline",
  "find . -type f -exec grep y {} +",
  "echo $(date) > /dev/null",
  "for f in a b; do cat $f; done",
])("%s changes nothing", (line) => {
  expect(isReadOnlyCommand(line)).toBe(true);
});

test.each(
  [
    "touch x",
    "ls > x",
    "cd src",
    "cd src && ls",
    "ls $(touch x)",
    "git push",
    "find . -delete",
    "sort -o x y",
    "ls 'unclosed",
    "",
    `echo ${"x".repeat(10_000)}`,
  ].filter((line) => line !== ""),
)("%s may change something", (line) => {
  expect(isReadOnlyCommand(line)).toBe(false);
});
