import { describe, expect, test } from "vitest";
import { exitMeaning } from "./exit-meaning.ts";

describe("exit code 1 of a program that answers with it is no failure", () => {
  test.each([
    ["grep x file", "No matches found"],
    ["cat a | grep 'b|c;d'", "No matches found"],
    ["LC_ALL=C rg x", "No matches found"],
    ["git grep x", "No matches found"],
    ["git diff --exit-code", "Files differ"],
    ["true; diff a b 2>&1", "Files differ"],
    ["cd src && grep x y", "No matches found"],
    ["find / -name x", "Some directories were inaccessible"],
    ["test -f x", "Condition is false"],
    ["[ -f x ]", "Condition is false"],
  ])("%s: %s", (command, meaning) => expect(exitMeaning(command, 1, "")).toBe(meaning));
});

describe("a failure stays one", () => {
  test.each([
    ["the code is not 1", "grep x file", 2, ""],
    ["another program was the last", "grep x file | sort", 1, ""],
    ["the name stands in quotes only", "npm test -- '; grep x'", 1, ""],
    ["something before it in the chain failed", "cd nowhere && grep x y", 1, "cd: nowhere: No such file"],
    ["the same, behind a pipe", "cd nowhere && cat y | grep x", 1, "cd: nowhere: No such file"],
    ["git itself failed", "git push", 1, ""],
  ])("when %s", (_why, command, exitCode, stderr) => expect(exitMeaning(command, exitCode, stderr)).toBeUndefined());
});

test("noise of an earlier part of a pipe is no failure of the last", () => {
  expect(exitMeaning("noisy | grep x", 1, "warning")).toBe("No matches found");
});
