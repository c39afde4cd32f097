import { messageOf } from "../lib/error.ts";
import { isTooBroadToAllow, parseRule, type Rule, type RuleList, type RuleSource } from "./rule.ts";

export type RuleSet = { readonly [List in RuleList]: readonly Rule[] };

export const noRules: RuleSet = { allow: [], ask: [], deny: [] };

export type ReadRules = { rules: Rule[]; warnings: string[] };

/** The rules of one list of one source. One that cannot be used is left out, with a warning that says how to fix it. */
export function readRules(texts: readonly string[], list: RuleList, source: RuleSource, anchor?: string): ReadRules {
  const rules: Rule[] = [];
  const warnings: string[] = [];
  for (const text of texts) {
    try {
      const rule = parseRule(text, source, anchor);
      const warning = inertRuleWarning(rule, list);
      if (warning === undefined || list !== "allow") rules.push(rule);
      if (warning !== undefined) warnings.push(warning);
    } catch (error) {
      warnings.push(`${messageOf(error)}; the rule is left out`);
    }
  }
  return { rules, warnings };
}

const pathRuleOf: Readonly<Record<string, string>> = {
  Write: "Edit",
  NotebookEdit: "Edit",
  MultiEdit: "Edit",
  Glob: "Read",
  Grep: "Read",
};

/** Input fields with a matcher of their own. */
export const fieldsWithOwnRules: ReadonlySet<string> = new Set([
  "command",
  "file_path",
  "path",
  "notebook_path",
  "url",
]);

/** Why a well-formed rule will never match in its list; undefined when it can. */
export function inertRuleWarning(rule: Rule, list: RuleList): string | undefined {
  const warn = (what: string) => `${rule.source}: ${list} rule "${rule.text}" ${what}`;
  if (list === "allow" && isTooBroadToAllow(rule.tool)) {
    return warn('never matches: an allow rule names one tool, or the tools of one server as in "mcp__server__*"');
  }
  if (rule.spec === undefined) return undefined;
  const field = /^(\w+):/.exec(rule.spec)?.[1] ?? "";
  const pathRule = pathRuleOf[rule.tool];
  if (pathRule !== undefined && (list === "allow" || field === "" || fieldsWithOwnRules.has(field))) {
    return warn(`never matches: paths are matched by ${pathRule} rules; write "${pathRule}(${rule.spec})"`);
  }
  if (rule.tool === "WebSearch" && list === "allow") return warn('never matches; write "WebSearch"');
  if (list === "allow" && rule.tool.startsWith("mcp__")) return warn(`never matches; write "${rule.tool}"`);
  if ((rule.tool === "Read" || rule.tool === "Edit") && rule.spec.startsWith("!")) {
    return warn("means a file whose name starts with !; rules cannot be turned round");
  }
  return undefined;
}

/** A deny or ask rule about a tool that is not there is likely a slip of the pen. */
export function unknownToolWarning(rule: Rule, list: RuleList, knownTools: Iterable<string>): string | undefined {
  if (list === "allow" || /[_*]/.test(rule.tool) || removedTools.has(rule.tool)) return undefined;
  const known = new Set(knownTools);
  if (known.has(rule.tool)) return undefined;
  return `${rule.source}: ${list} rule "${rule.text}" names a tool that does not exist; the tools are ${[...known].sort().join(", ")}`;
}

/** Names of older days, accepted without a word. */
const removedTools: ReadonlySet<string> = new Set(["MultiEdit", "LS", "NotebookRead", "KillShell", "BashOutput"]);
