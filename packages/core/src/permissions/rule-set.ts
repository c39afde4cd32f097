import { nearestName } from "../lib/edit-distance.ts";
import { messageOf } from "../lib/error.ts";
import { whereOf } from "../settings/where-of.ts";
import { isTooBroadToAllow, parseRule, type Rule, type RuleList, type RuleOrigin, type RuleSource } from "./rule.ts";

const ruleLists = ["allow", "ask", "deny"] as const;

export type RuleSet = { readonly [List in RuleList]: readonly Rule[] };

type ReadRules = { rules: Rule[]; warnings: string[] };

/** The rules of one list of one source. One that cannot be used is left out, with a warning that says how to fix it. */
export function readRules(
  texts: readonly string[],
  list: RuleList,
  source: RuleSource,
  origin: RuleOrigin = {},
): ReadRules {
  const rules: Rule[] = [];
  const warnings: string[] = [];
  for (const text of texts) {
    try {
      const rule = parseRule(text, source, origin);
      const warning = inertRuleWarning(rule, list);
      if (warning === undefined || list !== "allow") rules.push(rule);
      if (warning !== undefined) warnings.push(warning);
    } catch (error) {
      warnings.push(`${messageOf(error)}; the rule is left out`);
    }
  }
  return { rules, warnings };
}

/** Whether a rule is in force, or was left out. */
export const isUsed = (text: string, list: RuleList, source: RuleSource): boolean =>
  readRules([text], list, source).rules.length > 0;

/** Why a rule cannot be used in a list, and what to write; undefined when it can. */
export function faultOfRule(
  text: string,
  list: RuleList,
  source: RuleSource,
  origin: RuleOrigin = {},
): string | undefined {
  try {
    return inertRuleWarning(parseRule(text, source, origin), list);
  } catch (error) {
    return messageOf(error);
  }
}

const pathRuleOf: Readonly<Record<string, string>> = {
  Write: "Edit",
  NotebookEdit: "Edit",
  MultiEdit: "Edit",
  ApplyPatch: "Edit",
  Glob: "Read",
  Grep: "Read",
  LSP: "Read",
};

/** What stands between their brackets is a command, a path, a host or a name. Of others only input fields can be named. */
const toolsWithSpecs: ReadonlySet<string> = new Set(
  "Agent Bash Cd Edit Monitor PowerShell Read Skill WebFetch".split(" "),
);

const hasNoSpecs = (tool: string): boolean =>
  !toolsWithSpecs.has(tool) && (tool.startsWith("mcp__") || otherTools.has(tool));

/** The host of a URL, or of what looks like the beginning of one. */
const hostIn = (spec: string): string => spec.replace(/^(?:\w+:)?\/*/, "").replace(/[/:?#].*$/s, "") || "example.com";

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
  const warn = (what: string) => `${whereOf(rule)}: ${list} rule "${rule.text}" ${what}`;
  if (list === "allow" && isTooBroadToAllow(rule.tool)) {
    return warn('never matches: an allow rule names one tool, or the tools of one server as in "mcp__server__*"');
  }
  if (rule.spec === undefined) return undefined;
  const field = /^(\w+):/.exec(rule.spec)?.[1] ?? "";
  const pathRule = pathRuleOf[rule.tool];
  if (pathRule !== undefined && (list === "allow" || field === "" || fieldsWithOwnRules.has(field))) {
    return warn(`never matches: paths are matched by ${pathRule} rules; write "${pathRule}(${rule.spec})"`);
  }
  if (rule.tool === "WebFetch" && !rule.spec.startsWith("domain:") && (list === "allow" || field !== "prompt")) {
    return warn(`never matches; write "WebFetch(domain:${hostIn(rule.spec)})"`);
  }
  if (hasNoSpecs(rule.tool) && (list === "allow" || field === "")) {
    const part = list === "allow" ? "" : `, or "${rule.tool}(field:value)" with a field of its input`;
    return warn(`never matches; write "${rule.tool}"${part}`);
  }
  if ((rule.tool === "Read" || rule.tool === "Edit") && rule.spec.startsWith("!")) {
    return warn("means a file whose name starts with !; rules cannot be turned round");
  }
  return undefined;
}

/** Rules about tools that are not there are likely slips of the pen. What names an MCP server, or many tools, may still come. */
export function unknownToolWarnings(rules: RuleSet, knownTools: Iterable<string>): string[] {
  const known = new Set([...knownTools, ...otherTools]);
  let isPageNamed = false;
  return ruleLists.flatMap((list) =>
    rules[list].flatMap((rule) => {
      if (/[_*]/.test(rule.tool) || known.has(rule.tool)) return [];
      const near = nearestName(rule.tool, known);
      const fix = near === undefined ? "docs/tools.md has the tools" : `do you mean ${near}?`;
      const isSaid = near === undefined && isPageNamed;
      isPageNamed ||= near === undefined;
      const what = `${whereOf(rule)}: ${list} rule "${rule.text}" names a tool that does not exist here`;
      return [isSaid ? what : `${what}; ${fix}`];
    }),
  );
}

/** Names of older days, and of tools that other programs with the same settings have: accepted without a word. */
const otherTools: ReadonlySet<string> = new Set(
  (
    "MultiEdit LS NotebookRead KillShell BashOutput Agent AskUserQuestion Bash Cd CronCreate CronDelete CronList Edit " +
    "EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep ListMcpResourcesTool LSP Monitor NotebookEdit " +
    "PowerShell Read ReadMcpResourceTool SendMessage Skill TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate " +
    "TodoWrite ToolSearch WebFetch WebSearch Workflow Write Artifact ClaudeDesign EndConversation ListAgents " +
    "PushNotification ReadMcpResourceDirTool RemoteTrigger ReportFindings ScheduleWakeup SendUserFile WaitForMcpServers StructuredOutput"
  ).split(" "),
);
