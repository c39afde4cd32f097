import { expect, test } from "vitest";
import { isTooBroadForAuto, rulesInMode } from "./auto-rules.ts";
import { parseRule } from "./rule.ts";

const rule = (text: string) => parseRule(text, "userSettings");

test.each([
  ...[
    "Bash",
    "Bash(*)",
    "Bash(python *)",
    "Bash(python*)",
    "Bash(python3.12 *)",
    "Bash(/usr/bin/python3:*)",
    "Bash(sh *)",
  ],
  ...[
    "Bash(node -e *)",
    "Bash(sudo *)",
    "Bash(env *)",
    "Bash(FOO=1 node *)",
    "Bash(npx *)",
    "Bash(npx:*)",
    "Bash(pnpm dlx *)",
  ],
  ...[
    "Bash(npm *)",
    "Bash(npm run *)",
    "Bash(npm exec *)",
    "Bash(* --version)",
    "Bash(find *)",
    "Bash(xargs *)",
    "Bash(g*)",
  ],
  ...["Bash(docker *)", "Bash(uv run *)", "Agent", "Agent(Explore)", "Monitor", "Bash(ssh *)", "Bash(make *)"],
])("%s is left out while a classifier decides", (text) => {
  expect(isTooBroadForAuto(rule(text))).toBe(true);
});

test.each([
  ...[
    "Bash(npm test)",
    "Bash(npm run build)",
    "Bash(npm run test *)",
    "Bash(git commit *)",
    "Bash(git *)",
    "Bash(python x.py)",
  ],
  ...["Bash(ls *)", "Bash(cargo build *)", "Read", "Edit", "Edit(/src/**)", "WebFetch", "mcp__db", "Skill(deploy *)"],
])("%s counts", (text) => {
  expect(isTooBroadForAuto(rule(text))).toBe(false);
});

test("in every other mode all rules count, and what forbids always does", () => {
  const rules = { allow: [rule("Bash"), rule("Bash(ls)")], ask: [rule("Bash")], deny: [rule("Agent")] };
  expect(rulesInMode({ mode: "default", rules })).toBe(rules);
  expect(rulesInMode({ mode: "auto", rules })).toEqual({ ...rules, allow: [rule("Bash(ls)")] });
});
