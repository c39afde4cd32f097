import { expect, test } from "vitest";
import { parseRule } from "./rule.ts";
import { withoutDeniedTools } from "./tool-filter.ts";

const tools = ["Read", "Bash", "Monitor", "Agent", "mcp__db__query", "mcp__web__get"].map((name) => ({ name }));

test.each([
  ["Bash", ["Read", "Agent", "mcp__db__query", "mcp__web__get"]],
  ["Bash(*)", ["Read", "Agent", "mcp__db__query", "mcp__web__get"]],
  ["Bash(rm *)", ["Read", "Bash", "Monitor", "Agent", "mcp__db__query", "mcp__web__get"]],
  ["Task", ["Read", "Bash", "Monitor", "mcp__db__query", "mcp__web__get"]],
  ["mcp__*", ["Read", "Bash", "Monitor", "Agent"]],
  ["mcp__db", ["Read", "Bash", "Monitor", "Agent", "mcp__web__get"]],
  ["Monitor", ["Read", "Bash", "Agent", "mcp__db__query", "mcp__web__get"]],
  ["B*", ["Read", "Agent", "mcp__db__query", "mcp__web__get"]],
  ["*", []],
])("deny %s leaves %j", (rule, left) => {
  expect(withoutDeniedTools(tools, [parseRule(rule, "cliArg")]).map(({ name }) => name)).toEqual(left);
});
