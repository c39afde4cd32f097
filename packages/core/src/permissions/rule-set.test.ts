import { expect, test } from "vitest";
import { parseRule } from "./rule.ts";
import { readRules, unknownToolWarning } from "./rule-set.ts";

test("a broken rule is left out with a warning and the others stay", () => {
  expect(readRules(["Bash(ls", "Read"], "deny", "userSettings")).toEqual({
    rules: [{ text: "Read", source: "userSettings", tool: "Read" }],
    warnings: [
      'userSettings: permission rule "Bash(ls" has no closing bracket; write "Bash(ls)"; the rule is left out',
    ],
  });
});

test.each([
  ["*", "an allow rule names one tool"],
  ["B*", "an allow rule names one tool"],
  ["mcp__*", "an allow rule names one tool"],
  ["Write(src/**)", 'write "Edit(src/**)"'],
  ["Glob(src/**)", 'write "Read(src/**)"'],
  ["WebSearch(cats)", 'write "WebSearch"'],
  ["WebFetch(https://docs.example.com/x)", 'write "WebFetch(domain:docs.example.com)"'],
  ["mcp__db(x)", 'write "mcp__db"'],
])("the allow rule %s can never match: it is left out and the warning says what to write", (text, fix) => {
  const { rules, warnings } = readRules([text], "allow", "cliArg");
  expect(rules).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining(fix)]);
});

test.each(["mcp__db__*", "mcp__db__read_*", "mcp__db", "Edit(src/**)", "WebFetch(domain:*)"])(
  "the allow rule %s is taken without a word",
  (text) => {
    const { rules, warnings } = readRules([text], "allow", "cliArg");
    expect(rules).toHaveLength(1);
    expect(warnings).toEqual([]);
  },
);

test.each([
  ["WebFetch(evil.com)", 'write "WebFetch(domain:evil.com)"'],
  ["WebFetch(https://evil.com)", 'write "WebFetch(domain:evil.com)"'],
  ["WebFetch(url:*evil*)", 'write "WebFetch(domain:*evil*)"'],
  ["mcp__db__query(DROP *)", 'or "mcp__db__query(field:value)"'],
])("the deny rule %s can never match: the warning says what to write", (text, fix) => {
  expect(readRules([text], "deny", "cliArg").warnings).toEqual([expect.stringContaining(fix)]);
});

test.each([
  "WebFetch(prompt:*secret*)",
  "mcp__db__query(sql:DROP *)",
  "Agent(model:opus)",
  "Skill(deploy *)",
  "Cd(/etc)",
])("the deny rule %s is taken without a word", (text) =>
  expect(readRules([text], "deny", "cliArg").warnings).toEqual([]),
);

test("a deny rule may be a glob over every name", () => {
  expect(readRules(["*", "mcp__*"], "deny", "cliArg").warnings).toEqual([]);
});

test("a deny or ask rule about a tool that is not there is pointed out", () => {
  const warning = (text: string, list: "allow" | "ask" | "deny") =>
    unknownToolWarning(parseRule(text, "userSettings"), list, ["Read", "Bash", "Agent"]);
  expect(warning("bash(rm *)", "deny")).toBe(
    'userSettings: deny rule "bash(rm *)" names a tool that does not exist; the tools are Agent, Bash, Read',
  );
  expect(warning("Bash(rm *)", "deny")).toBeUndefined();
  expect(warning("Task", "deny")).toBeUndefined();
  expect(warning("mcp__later__tool", "deny")).toBeUndefined();
  expect(warning("MultiEdit", "ask")).toBeUndefined();
  expect(warning("bash", "allow")).toBeUndefined();
});
