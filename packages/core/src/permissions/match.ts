import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { filesRead, filesWritten } from "./command-files.ts";
import type { CommandPath } from "./command-path.ts";
import { allowingRule, ruleHits } from "./command-rules.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import type { Hit } from "./match-command.ts";
import { matchesDomain } from "./match-domain.ts";
import { matchesPath } from "./match-path.ts";
import { matchesPathGlob, type Reading } from "./path-glob.ts";
import { placeOf } from "./place.ts";
import { isTooBroadToAllow, type Rule } from "./rule.ts";
import { fieldsWithOwnRules } from "./rule-set.ts";
import { isOfFamily } from "./tool-family.ts";
import { matchesWildcard } from "./wildcard.ts";

type SpecRule = Rule & { spec: string };

/** Whether an ask or deny rule is about any part of this call. `maybe`: only the running command will show it. */
export async function hitsRule(rule: Rule, request: PermissionRequest, context: PermissionContext): Promise<Hit> {
  if (rule.spec === undefined) return namesTool(rule.tool, request.tool) ? "yes" : "no";
  const scoped: SpecRule = { ...rule, spec: rule.spec };
  return matchesField(scoped, request) ? "yes" : hits(scoped, request, context);
}

/** The allow rule by which this call may happen: it must cover all of it. Several may share the parts of a command line. */
export async function allowedBy(request: PermissionRequest, context: PermissionContext): Promise<Rule | undefined> {
  const rules = context.rules.allow.filter(({ tool }) => !isTooBroadToAllow(tool));
  const commands = commandsOf(request);
  if (isOfFamily(request.tool, "Bash") && commands.length > 0) {
    let found: Rule | undefined;
    for (const command of commands) {
      found = await allowingRule(command, rules, context);
      if (found === undefined) break;
    }
    if (found !== undefined) return found;
  }
  for (const rule of rules) if (await allows(rule, request, context)) return rule;
  return undefined;
}

/** Whether a rule's tool part means this tool. `mcp__server` means all tools of the server. */
export function namesTool(pattern: string, tool: string): boolean {
  return matchesWildcard(pattern, tool) || (/^mcp__.+/.test(pattern) && tool.startsWith(`${pattern}__`));
}

async function allows(rule: Rule, request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  if (rule.spec === undefined) return namesTool(rule.tool, request.tool);
  const scoped: SpecRule = { ...rule, spec: rule.spec };
  switch (rule.tool) {
    case "Bash":
      return false;
    case "Read":
    case "Edit":
      return allowsPaths(scoped, request, context);
    default:
      return matchesOwnSpec(scoped, request, "narrow");
  }
}

/** Being allowed to edit a path means being allowed to read it. */
async function allowsPaths(rule: SpecRule, request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  const covers = isOfFamily(request.tool, "Read") || (rule.tool === "Edit" && isOfFamily(request.tool, "Edit"));
  const paths = pathsOf(request, ["read", "write"]);
  if (!covers || paths.length === 0) return false;
  for (const path of paths) {
    if (!(await matchesPath(rule, await placeOf(path, context), "narrow", context))) return false;
  }
  return true;
}

async function hits(rule: SpecRule, request: PermissionRequest, context: PermissionContext): Promise<Hit> {
  const commands = commandsOf(request);
  switch (rule.tool) {
    case "Bash":
      return bestHit(await Promise.all(commands.map((command) => ruleHits(rule.spec, command, context))));
    case "Read": {
      // What must not be read must not be overwritten either; a notebook's cells are edited unread.
      const kinds = request.tool === "NotebookEdit" ? (["read"] as const) : (["read", "write"] as const);
      const read = commands
        .map(analyzeCommand)
        .flatMap((analysis) => [...filesRead(analysis), ...filesWritten(analysis)]);
      return hitsPaths(rule, [...pathsOf(request, kinds).map(plainPath), ...read], context);
    }
    case "Edit": {
      const written = commands.map(analyzeCommand).flatMap(filesWritten);
      return hitsPaths(rule, [...pathsOf(request, ["write"]).map(plainPath), ...written], context);
    }
    default:
      return matchesOwnSpec(rule, request, "wide") ? "yes" : "no";
  }
}

const plainPath = (path: string): CommandPath => ({ path, isGlob: false });

async function hitsPaths(rule: SpecRule, paths: readonly CommandPath[], context: PermissionContext): Promise<Hit> {
  let isOpen = false;
  for (const path of paths) {
    if (path === undefined || (path.isGlob && mayMeet(rule.spec, path.path))) isOpen = true;
    else if (await matchesPath(rule, await placeOf(path.path, context), "wide", context)) return "yes";
  }
  return isOpen ? "maybe" : "no";
}

/** Whether a pattern of paths may match something that a rule is about: surely not when the rule is a name it cannot match. */
function mayMeet(spec: string, glob: string): boolean {
  if (/[*?[/\\]/.test(spec)) return true;
  return glob.split("/").some((segment) => /[[\\{]/.test(segment) || globMatches(segment, spec));
}

/** `*` and `?` leave names that begin with a dot alone. */
const globMatches = (segment: string, name: string): boolean =>
  (segment.startsWith(".") || !name.startsWith(".") || !/^[*?]/.test(segment)) &&
  matchesPathGlob({ glob: segment, isRelative: false }, name, "wide");

const bestHit = (hits: readonly Hit[]): Hit => (hits.includes("yes") ? "yes" : hits.includes("maybe") ? "maybe" : "no");

function matchesOwnSpec({ tool, spec }: SpecRule, request: PermissionRequest, reading: Reading): boolean {
  if (tool !== request.tool) return false;
  switch (tool) {
    case "WebFetch": {
      const urls = urlsOf(request);
      const isMeant = (url: string) => matchesDomain(spec, url);
      return reading === "wide" ? urls.some(isMeant) : every(urls, isMeant);
    }
    case "Agent":
      return spec === (request.input["subagent_type"] ?? "general-purpose");
    case "Skill":
      return matchesSkill(spec, request.input);
    default:
      return false;
  }
}

/** `name` is the skill without a word more, `name *` with any arguments or none. */
function matchesSkill(spec: string, { skill, args }: Record<string, unknown>): boolean {
  const call = typeof args === "string" && args !== "" ? `${skill} ${args}` : `${skill}`;
  return spec.endsWith(" *") ? `${call} `.startsWith(spec.slice(0, -1)) : spec === call;
}

/** `Tool(field:value)` in ask and deny rules: a field of the input as it was written. */
function matchesField({ tool, spec }: SpecRule, request: PermissionRequest): boolean {
  const [, field, pattern] = /^([A-Za-z_]\w*):(.*)$/s.exec(spec) ?? [];
  if (field === undefined || pattern === undefined || fieldsWithOwnRules.has(field)) return false;
  if (!namesTool(tool, request.tool) || !Object.hasOwn(request.input, field)) return false;
  const value = request.input[field];
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar && matchesWildcard(pattern, String(value));
}

const commandsOf = ({ touches }: PermissionRequest) =>
  touches.flatMap((touch) => (touch.type === "command" ? [touch.command] : []));
const urlsOf = ({ touches }: PermissionRequest) =>
  touches.flatMap((touch) => (touch.type === "url" ? [touch.url] : []));
const pathsOf = ({ touches }: PermissionRequest, kinds: readonly ("read" | "write")[]) =>
  touches.flatMap((touch) =>
    (touch.type === "read" || touch.type === "write") && kinds.includes(touch.type) ? [touch.path] : [],
  );

/** An allow rule that finds nothing of its kind allows nothing. */
const every = (values: readonly string[], test: (value: string) => boolean) => values.length > 0 && values.every(test);
