import { PawlError } from "../lib/error.ts";
import type { SettingSource } from "../settings/settings.ts";
import { whereOf } from "../settings/where-of.ts";

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
  /** The file that it stands in, or the flag. */
  place?: string;
  /** Of a file: the line that it begins in, from 1. */
  line?: number;
};

/** Where a rule stands. */
export type RuleOrigin = Pick<Rule, "anchor" | "place" | "line">;

const toolAliases: ReadonlyMap<string, string> = new Map([["Task", "Agent"]]);

/** @throws PawlError `rule_invalid` that names the place, or else the source, the rule and the fix. */
export function parseRule(text: string, source: RuleSource, origin: RuleOrigin = {}): Rule {
  const written = text.trim();
  const where = whereOf({ source, ...origin });
  const open = written.indexOf("(");
  const name = open === -1 ? written : written.slice(0, open);
  if (name === "") throw invalid(where, text, "names no tool", 'write a tool\'s name first, such as "Bash(npm test)"');
  if (/[\s,)]/.test(name)) throw badName(where, written, name);
  const spec = open === -1 ? undefined : specOf(written, open, where);
  return {
    text: written,
    source,
    tool: toolAliases.get(name) ?? name,
    ...(spec === undefined || spec === "*" ? {} : { spec }),
    ...origin,
  };
}

function specOf(written: string, open: number, where: string): string {
  const close = lastUnescaped(written, ")");
  if (close < open) throw invalid(where, written, "has no closing bracket", `write "${written})"`);
  if (close !== written.length - 1) {
    throw invalid(where, written, "has text after its closing bracket", `write "${written.slice(0, close + 1)}"`);
  }
  const spec = written.slice(open + 1, close).trim();
  if (spec === "")
    throw invalid(where, written, "has nothing between its brackets", `write "${written.slice(0, open)}"`);
  return spec.replace(/\\([()\\])/g, "$1");
}

function badName(where: string, written: string, name: string): PawlError {
  const [first = name, ...rest] = name.split(/[\s,)]+/).filter((word) => word !== "");
  const fix = rest.length === 0 ? first : `${first}(${rest.join(" ")})`;
  return invalid(where, written, `has "${name}" where a tool's name must be`, `write "${fix}"`);
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

const invalid = (where: string, rule: string, what: string, fix: string) =>
  new PawlError("rule_invalid", `${where}: permission rule "${rule}" ${what}; ${fix}`);

/** Whether an allow rule's tool part reaches too far: it names one tool, or tools of one server as in `mcp__server__*`. */
export function isTooBroadToAllow(tool: string): boolean {
  return tool.includes("*") && !/^mcp__[^*]+?__/.test(tool);
}
