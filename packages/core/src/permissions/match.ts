import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import type { CommandAnalysis } from "../shell/analysis/simple-command.ts";
import { countCompared, sizeOf } from "./call-size.ts";
import { filesTouched, filesWritten, touchesFiles } from "./command-files.ts";
import { type CommandPath, mayBePattern } from "./command-path.ts";
import { allowingRule, ruleHits } from "./command-rules.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { metByReading, metByWriting } from "./folder-contents.ts";
import type { Hit } from "./match-command.ts";
import { matchesDomain } from "./match-domain.ts";
import { matchesPath, pathTest } from "./match-path.ts";
import { keptInDecision } from "./one-decision.ts";
import { matchesPathGlob } from "./path-glob.ts";
import { placeOf } from "./place.ts";
import type { Reading } from "./platform.ts";
import { isTooBroadToAllow, type Rule } from "./rule.ts";
import { fieldsWithOwnRules } from "./rule-set.ts";
import { isOfFamily } from "./tool-family.ts";
import { namesTool } from "./tool-pattern.ts";
import { matchesWildcard } from "./wildcard.ts";

type SpecRule = Rule & { spec: string };

/** `uncompared`: the first rule that a call was too large to be compared with. */
type FirstHit = { surely?: Rule; maybe?: Rule; uncompared?: Rule };

/** The first rule that hits, or else the first that may. `size` is that of the call. */
export async function firstHit(
  rules: readonly Rule[],
  hits: (rule: Rule) => Promise<Hit>,
  size: number,
): Promise<FirstHit> {
  const count = countCompared(rules, size);
  const uncompared = rules[count];
  let maybe: Rule | undefined;
  for (const rule of rules.slice(0, count)) {
    const hit = await hits(rule);
    if (hit === "yes") return { surely: rule };
    if (hit === "maybe") maybe ??= rule;
  }
  return { ...(maybe === undefined ? {} : { maybe }), ...(uncompared === undefined ? {} : { uncompared }) };
}

/** Whether an ask or deny rule is about any part of this call. `maybe`: only the running command will show it. */
export async function hitsRule(rule: Rule, request: PermissionRequest, context: PermissionContext): Promise<Hit> {
  if (rule.spec === undefined) return hitsBare(rule, request);
  const scoped: SpecRule = { ...rule, spec: rule.spec };
  return matchesField(scoped, request) ? "yes" : hits(asCommandRule(scoped, request), request, context);
}

/** `Monitor(npm run *)` means commands as `Bash(…)` does, of that tool alone. */
const asCommandRule = <Each extends Rule>(rule: Each, request: PermissionRequest): Each =>
  rule.tool === "Monitor" && request.tool === "Monitor" && rule.spec !== undefined ? { ...rule, tool: "Bash" } : rule;

/** `Read` and `Edit` mean every tool of their kind, and the commands that do the same; `Bash` and `WebFetch` all that does what these do. */
function hitsBare({ tool }: Rule, request: PermissionRequest): Hit {
  if (namesTool(tool, request.tool)) return "yes";
  if (namesTool(tool, "Bash") && commandsOf(request).length > 0) return "yes";
  if (namesTool(tool, "WebFetch") && urlsOf(request).length > 0) return "yes";
  if (tool !== "Read" && tool !== "Edit") return "no";
  if (isOfFamily(request.tool, tool)) return "yes";
  return bestHit(commandsOf(request).map((command) => touchesFiles(tool, analyzeCommand(command))));
}

/** Whether an ask or deny rule is about what a command line, or a part of it, does. */
export async function hitsCommand(
  rule: Rule,
  line: string,
  analysis: CommandAnalysis,
  context: PermissionContext,
): Promise<Hit> {
  const { spec, tool } = rule;
  if (spec === undefined) {
    if (tool === "Read" || tool === "Edit") return touchesFiles(tool, analysis);
    return namesTool(tool, "Bash") ? "yes" : "no";
  }
  if (tool === "Bash") return ruleHits(spec, line, context, analysis);
  if (tool !== "Read" && tool !== "Edit") return "no";
  const scoped = { ...rule, spec };
  const isReading = tool === "Read";
  const named = await hitsPaths(scoped, isReading ? filesTouched(analysis) : filesWritten(analysis), context);
  if (named !== "no") return named;
  return hitsMet(scoped, await (isReading ? metByReading : metByWriting)(analysis, context), context);
}

/** Of folders, a command comes upon files that nobody named. */
async function hitsMet(rule: SpecRule, met: readonly string[] | undefined, context: PermissionContext): Promise<Hit> {
  if (met === undefined) return "maybe";
  return met.length > 0 && met.some(await pathTest(rule, "wide", context)) ? "maybe" : "no";
}

/** The allow rule by which this call may happen: it must cover all of it. Several may share the parts of a command line. */
export async function allowedBy(request: PermissionRequest, context: PermissionContext): Promise<Rule | undefined> {
  const rules = context.rules.allow
    .slice(0, countCompared(context.rules.allow, sizeOf(request)))
    .filter(({ tool }) => !isTooBroadToAllow(tool))
    .map((rule) => asCommandRule(rule, request));
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

async function allows(rule: Rule, request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  if (rule.spec === undefined) return namesTool(rule.tool, request.tool) || coversKind(rule, request);
  const scoped: SpecRule = { ...rule, spec: rule.spec };
  switch (rule.tool) {
    case "Bash":
      return false;
    case "Read":
    case "Edit":
    case "Cd":
      return allowsPaths(scoped, request, context);
    default:
      return matchesOwnSpec(scoped, request, "narrow");
  }
}

/** Being allowed to edit a path means being allowed to read it. */
const coversKind = ({ tool }: Rule, request: PermissionRequest): boolean =>
  (tool === "Cd" && request.tool === "Cd") ||
  (tool === "Edit" && isOfFamily(request.tool, "Edit")) ||
  ((tool === "Edit" || tool === "Read") && isOfFamily(request.tool, "Read"));

async function allowsPaths(rule: SpecRule, request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  const paths = pathsOf(request, ["read", "write"]);
  if (!coversKind(rule, request) || paths.length === 0) return false;
  for (const path of paths) {
    if (!(await matchesPath(rule, await placeOf(path, context), "narrow", context))) return false;
  }
  return true;
}

async function hits(rule: SpecRule, request: PermissionRequest, context: PermissionContext): Promise<Hit> {
  const inCommands = commandsOf(request).map((line) => hitsCommand(rule, line, analyzeCommand(line), context));
  switch (rule.tool) {
    case "Bash":
      return bestHit(await Promise.all(inCommands));
    case "Read":
    case "Edit":
    case "Cd": {
      const paths = pathsOf(request, kindsMeant(rule.tool, request.tool)).map(plainPath);
      return bestHit([await hitsPaths(rule, paths, context), ...(await Promise.all(inCommands))]);
    }
    default:
      return matchesOwnSpec(rule, request, "wide") ? "yes" : "no";
  }
}

/** What must not be read must not be overwritten either; a notebook's cells are edited unread. */
function kindsMeant(rule: "Read" | "Edit" | "Cd", tool: string): readonly ("read" | "write")[] {
  if (rule === "Cd" || tool === "Cd") return rule === tool ? ["read"] : [];
  if (rule === "Edit") return ["write"];
  return tool === "NotebookEdit" ? ["read"] : ["read", "write"];
}

const plainPath = (path: string): CommandPath => ({ path, isGlob: false });

async function hitsPaths(rule: SpecRule, paths: readonly CommandPath[], context: PermissionContext): Promise<Hit> {
  if (paths.length === 0) return "no";
  const isCovered = await pathTest(rule, "wide", context);
  const { known, globs, isOpen } = await placesOf(paths, context);
  if (known.some(isCovered)) return "yes";
  let mayBe = isOpen;
  for (const { path, places } of globs) {
    if (mayMeet(rule.spec, path)) mayBe = true;
    else if (places.some(isCovered)) return "yes";
  }
  return mayBe ? "maybe" : "no";
}

/** Where the paths lie, each place once; patterns apart. `isOpen`: of one of them nobody knows. */
const placesOf = keptInDecision(async (paths: readonly CommandPath[], context) => {
  const known = new Set<string>();
  const globs: { path: string; places: string[] }[] = [];
  let isOpen = false;
  for (const path of paths) {
    if (path === undefined || mayBePattern(path, context)) {
      isOpen = true;
      continue;
    }
    const { lexical, real, isAlias } = await placeOf(path.path, context);
    const places = [lexical, ...real];
    if (path.isGlob) globs.push({ path: path.path, places });
    else for (const place of places) known.add(place);
    isOpen ||= isAlias === true;
  }
  return { known: [...known], globs, isOpen };
});

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
  const isMeant = (url: string) => matchesDomain(spec, url);
  // What must not be fetched must not be connected to either.
  if (tool === "WebFetch" && reading === "wide") return urlsOf(request).some(isMeant);
  if (tool !== request.tool) return false;
  switch (tool) {
    case "WebFetch":
      return every(urlsOf(request), isMeant);
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
