import { messageOf, PawlError } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import { callInput, mainFieldOf } from "./call-input.ts";
import type { PermissionExplanation } from "./explain.ts";
import type { PermissionJudge, WrittenRules } from "./judge.ts";
import { type PermissionMode, permissionModeNamed, permissionModes } from "./mode.ts";
import type { RuleList } from "./rule.ts";

const decisions = ["allow", "ask", "deny"] as const;

/** What a user expects of one call. */
type RuleTest = {
  name: string;
  tool: string;
  input: Record<string, unknown>;
  expect: (typeof decisions)[number];
  mode?: PermissionMode;
  /** Instead of the rules of the settings. */
  rules?: WrittenRules;
};

type RuleTestResult = { name: string; expect: RuleTest["expect"]; isPassed: boolean } & (
  | { explanation: PermissionExplanation }
  | { fault: string }
);

export type RuleTestReport = { passed: number; failed: number; results: RuleTestResult[] };

/** What the package gives as `testPermissions`. @throws PawlError `rule_tests_invalid`. */
export async function testPermissions(
  judge: PermissionJudge,
  file: { name: string; text: string },
): Promise<RuleTestReport> {
  const results: RuleTestResult[] = [];
  for (const test of await readRuleTests(file)) results.push(await runTest(judge, test));
  const passed = results.filter(({ isPassed }) => isPassed).length;
  return { passed, failed: results.length - passed, results };
}

async function runTest(judge: PermissionJudge, test: RuleTest): Promise<RuleTestResult> {
  const { name, tool, input, expect, mode, rules } = test;
  const changes = { ...(mode === undefined ? {} : { mode }), ...(rules === undefined ? {} : { rules }) };
  try {
    const explanation = await judge.explain(tool, input, changes);
    if ("fault" in explanation) return { name, expect, isPassed: false, fault: explanation.fault };
    return { name, expect, isPassed: explanation.decision === expect, explanation };
  } catch (error) {
    return { name, expect, isPassed: false, fault: messageOf(error) };
  }
}

async function readRuleTests({ name, text }: { name: string; text: string }): Promise<RuleTest[]> {
  const { parse } = await import("yaml"); // JSON is YAML
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw invalid(`${name} is neither JSON nor YAML: ${messageOf(error)}`);
  }
  const whole = Array.isArray(value) ? { tests: value } : value;
  if (!isRecord(whole)) throw invalid(`${name} must hold a list of tests, or an object with "tests"`);
  onlyKeys(whole, ["tests", "mode", "rules"], name);
  const tests: unknown = whole["tests"];
  if (!Array.isArray(tests) || tests.length === 0)
    throw invalid(`${name}: "tests" must be a list with at least one test`);
  const shared = commonPart(whole, name);
  return tests.map((test: unknown, at) => ({ ...shared, ...readTest(test, at, `${name}: tests[${at}]`) }));
}

function readTest(value: unknown, at: number, where: string): RuleTest {
  if (!isRecord(value)) throw invalid(`${where} must be an object with tool, input and expect`);
  onlyKeys(value, ["name", "tool", "input", "expect", "mode", "rules"], where);
  const { tool } = value;
  if (typeof tool !== "string" || tool === "") throw invalid(`${where}.tool must be the name of a tool`);
  const expect = decisions.find((each) => each === value["expect"]);
  if (expect === undefined) throw invalid(`${where}.expect must be one of ${decisions.join(", ")}`);
  const input = callInput(tool, value["input"]);
  if (input === undefined) throw invalid(`${where}.input must be an object${mainFieldOf(tool) ? ", or a text" : ""}`);
  const { name } = value;
  return {
    name: typeof name === "string" && name !== "" ? name : `test ${at + 1}: ${tool} ${shortly(value["input"])}`,
    tool,
    input,
    expect,
    ...commonPart(value, where),
  };
}

function commonPart(value: Record<string, unknown>, where: string): Pick<RuleTest, "mode" | "rules"> {
  const { mode: written, rules } = value;
  const mode = typeof written === "string" ? permissionModeNamed(written) : undefined;
  if (written !== undefined && mode === undefined) {
    throw invalid(`${where}.mode must be one of ${permissionModes.join(", ")}`);
  }
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(rules === undefined ? {} : { rules: rulesOf(rules, `${where}.rules`) }),
  };
}

function rulesOf(value: unknown, where: string): WrittenRules {
  if (!isRecord(value)) throw invalid(`${where} must be an object with the lists allow, ask and deny`);
  onlyKeys(value, decisions, where);
  const listOf = (list: RuleList): string[] => {
    const texts: unknown = value[list] ?? [];
    const isList = Array.isArray(texts) && texts.every((text) => typeof text === "string");
    if (!isList) throw invalid(`${where}.${list} must be a list of rules, such as ["Bash(npm test)"]`);
    return texts;
  };
  return { allow: listOf("allow"), ask: listOf("ask"), deny: listOf("deny") };
}

function onlyKeys(value: Record<string, unknown>, known: readonly string[], where: string): void {
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other !== undefined) throw invalid(`${where} has "${other}"; known are ${known.join(", ")}`);
}

const MAX_NAME_CHARS = 80;

function shortly(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length <= MAX_NAME_CHARS ? text : `${text.slice(0, MAX_NAME_CHARS).toWellFormed()}…`;
}

const invalid = (message: string) => new PawlError("rule_tests_invalid", message);
