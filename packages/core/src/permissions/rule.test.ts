import { expect, test } from "vitest";
import { PawlError } from "../lib/error.ts";
import { parseRule } from "./rule.ts";

test.each([
  ["Bash", { tool: "Bash" }],
  ["  Read  ", { tool: "Read", text: "Read" }],
  ["Bash(npm run test *)", { tool: "Bash", spec: "npm run test *" }],
  ["Bash(*)", { tool: "Bash" }],
  ["Task(Explore)", { tool: "Agent", spec: "Explore" }],
  ["Task", { tool: "Agent" }],
  ["mcp__db__*", { tool: "mcp__db__*" }],
  ["Edit(app/(group)/page.ts)", { tool: "Edit", spec: "app/(group)/page.ts" }],
  ["Edit(app/\\(group/page.ts)", { tool: "Edit", spec: "app/(group/page.ts" }],
  ["Bash(printf \\))", { tool: "Bash", spec: "printf )" }],
  ["Bash(grep a\\\\.b *)", { tool: "Bash", spec: "grep a\\.b *" }],
  ["Bash(grep a\\.b *)", { tool: "Bash", spec: "grep a\\.b *" }],
  ["WebFetch(domain:*.example.com)", { tool: "WebFetch", spec: "domain:*.example.com" }],
])("the rule %s is read", (text, expected) => {
  expect(parseRule(text, "cliArg")).toEqual({ text, source: "cliArg", ...expected });
});

test.each([
  ["Bash(rm *", 'flag: permission rule "Bash(rm *" has no closing bracket; write "Bash(rm *)"'],
  ["Bash(printf \\)", 'flag: permission rule "Bash(printf \\)" has no closing bracket; write "Bash(printf \\))"'],
  ["Bash(ls) now", 'flag: permission rule "Bash(ls) now" has text after its closing bracket; write "Bash(ls)"'],
  ["Bash()", 'flag: permission rule "Bash()" has nothing between its brackets; write "Bash"'],
  ["Bash rm x", 'flag: permission rule "Bash rm x" has "Bash rm x" where a tool\'s name must be; write "Bash(rm x)"'],
  ["Bash)", 'flag: permission rule "Bash)" has "Bash)" where a tool\'s name must be; write "Bash"'],
  ["(ls)", 'flag: permission rule "(ls)" names no tool; write a tool\'s name first, such as "Bash(npm test)"'],
  ["", 'flag: permission rule "" names no tool; write a tool\'s name first, such as "Bash(npm test)"'],
])("the rule %j is refused with what is wrong and how to write it", (text, message) => {
  expect(() => parseRule(text, "cliArg")).toThrow(new PawlError("rule_invalid", message));
});
