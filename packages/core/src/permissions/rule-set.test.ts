import { expect, test } from "vitest";
import { parseRule, type RuleList } from "./rule.ts";
import { type RuleSet, readRules, unknownToolWarnings } from "./rule-set.ts";

test("a broken rule is left out with a warning and the others stay", () => {
  expect(readRules(["Bash(ls", "Read"], "deny", "userSettings")).toEqual({
    rules: [{ text: "Read", source: "userSettings", tool: "Read" }],
    warnings: [
      'user settings: permission rule "Bash(ls" has no closing bracket; write "Bash(ls)"; the rule is left out',
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

test("a rule about a tool that is not there is pointed out with the one that is meant, or once with the page of all", () => {
  const warnings = (texts: readonly string[], list: RuleList = "deny") => {
    const rules = texts.map((text) => parseRule(text, "userSettings"));
    const none: RuleSet = { allow: [], ask: [], deny: [] };
    return unknownToolWarnings({ ...none, [list]: rules }, ["Read", "Bash", "deploy"]);
  };
  const said = (list: string, text: string) =>
    `user settings: ${list} rule "${text}" names a tool that does not exist here`;
  for (const list of ["allow", "ask", "deny"] as const) {
    expect(warnings(["bash(rm *)", "Bsh"], list)).toEqual([
      `${said(list, "bash(rm *)")}; do you mean Bash?`,
      `${said(list, "Bsh")}; do you mean Bash?`,
    ]);
    expect(warnings(["Frobnicate", "Frobnicate(x)"], list)).toEqual([
      `${said(list, "Frobnicate")}; docs/tools.md has the tools`,
      said(list, "Frobnicate(x)"),
    ]);
    const known = ["Bash(rm *)", "Task", "mcp__later__tool", "mcp__server", "MultiEdit", "deploy", "StructuredOutput"];
    expect(warnings(known, list)).toEqual([]);
  }
});
