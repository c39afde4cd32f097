import { PawlError } from "../lib/error.ts";
import type { SettingSource } from "../settings/settings.ts";

/** Where a rule was written; a decision names it. */
export type RuleSource = SettingSource | "cliArg" | "command" | "session";
export type RuleList = "allow" | "ask" | "deny";

/** `Tool` or `Tool(spec)`. */
export type Rule = {
  /** As written. */
  text: string;
  source: RuleSource;
  /** Canonical name; in `ask` and `deny` it may be a glob over the full name. */
  tool: string;
  /** Escapes resolved. Absent: every call of the tool. */
  spec?: string;
  /** Absolute folder that path specs starting with `/` are relative to; default by source. */
  anchor?: string;
};

const toolAliases: Readonly<Record<string, string>> = { Task: "Agent" };

/** Throws PawlError `rule_invalid` that names source, rule and fix. */
export function parseRule(text: string, source: RuleSource, anchor?: string): Rule {
  const written = text.trim();
  const open = written.indexOf("(");
  const name = open === -1 ? written : written.slice(0, open);
  if (name === "") throw invalid(source, text, "names no tool", 'write a tool\'s name first, such as "Bash(npm test)"');
  if (/[\s,)]/.test(name)) throw badName(source, written, name);
  const spec = open === -1 ? undefined : specOf(written, open, source);
  return {
    text: written,
    source,
    tool: toolAliases[name] ?? name,
    ...(spec === undefined || spec === "*" ? {} : { spec }),
    ...(anchor === undefined ? {} : { anchor }),
  };
}

function specOf(written: string, open: number, source: RuleSource): string {
  const close = lastUnescaped(written, ")");
  if (close < open) throw invalid(source, written, "has no closing bracket", `write "${written})"`);
  if (close !== written.length - 1) {
    throw invalid(source, written, "has text after its closing bracket", `write "${written.slice(0, close + 1)}"`);
  }
  const spec = written.slice(open + 1, close).trim();
  if (spec === "")
    throw invalid(source, written, "has nothing between its brackets", `write "${written.slice(0, open)}"`);
  return spec.replace(/\\([()\\])/g, "$1");
}

function badName(source: RuleSource, written: string, name: string): PawlError {
  const [first = name, ...rest] = name.split(/[\s,)]+/).filter((word) => word !== "");
  const fix = rest.length === 0 ? first : `${first}(${rest.join(" ")})`;
  return invalid(source, written, `has "${name}" where a tool's name must be`, `write "${fix}"`);
}

function lastUnescaped(text: string, char: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (text[at] === char && !isEscaped(text, at)) return at;
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

const invalid = (source: RuleSource, rule: string, what: string, fix: string) =>
  new PawlError("rule_invalid", `${source}: permission rule "${rule}" ${what}; ${fix}`);

/** Whether an allow rule's tool part reaches too far: it names one tool, or tools of one server as in `mcp__server__*`. */
export function isTooBroadToAllow(tool: string): boolean {
  return tool.includes("*") && !/^mcp__[^*]+?__/.test(tool);
}

/** The rules in a flag's value: split on commas and blanks outside brackets. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let rule = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "(" && !isEscaped(text, at)) depth++;
    if (char === ")" && !isEscaped(text, at)) depth--;
    if (depth <= 0 && /[\s,]/.test(char)) {
      if (rule !== "") rules.push(rule);
      rule = "";
    } else rule += char;
  }
  return rule === "" ? rules : [...rules, rule];
}
