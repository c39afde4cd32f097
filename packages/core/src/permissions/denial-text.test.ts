import { expect, test } from "vitest";
import { denialText, refusalText } from "./denial-text.ts";

const because = { type: "mode", reason: "No rule allows it." } as const;

test.each([
  [
    "Bash",
    { command: "npm test" },
    "Pawl requested permissions to use Bash, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "Write",
    { file_path: "/a/b" },
    "Pawl requested permissions to write to /a/b, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "NotebookEdit",
    { notebook_path: "/n" },
    "Pawl requested permissions to write to /n, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "Read",
    { file_path: "/a/b" },
    "Pawl requested permissions to read from /a/b, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "Grep",
    { pattern: "x" },
    "Pawl requested permissions to use Grep, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "mcp__db__query",
    { path: "/x" },
    "Pawl requested permissions to use mcp__db__query, but you haven't granted it yet. No rule allows it.",
  ],
  [
    "AskUserQuestion",
    { questions: [] },
    "Pawl requested permissions to use AskUserQuestion, but you haven't granted it yet. No rule allows it. Nobody is there to answer: decide it yourself, and say in your answer what you have assumed.",
  ],
  [
    "ExitPlanMode",
    {},
    "Pawl requested permissions to use ExitPlanMode, but you haven't granted it yet. No rule allows it. Nobody is there to approve the plan: end with the plan as your answer.",
  ],
])("%s with nobody to ask", (tool, input, text) => {
  expect(denialText(tool, input, because)).toBe(text);
});

test("a refusal names the tool, and of Bash the command", () => {
  expect(refusalText("Write", { file_path: "/a" }, because)).toBe(
    "Permission to use Write has been denied. No rule allows it.",
  );
  expect(refusalText("Bash", { command: "rm x" }, because)).toBe(
    "Permission to use Bash with command rm x has been denied. No rule allows it.",
  );
});

test("a very long command is not repeated whole, and not cut through a character", () => {
  const text = refusalText("Bash", { command: `${"x".repeat(1_999)}😀tail` }, because);
  expect(text.length).toBeLessThan(2_100);
  expect(text.isWellFormed()).toBe(true);
});
