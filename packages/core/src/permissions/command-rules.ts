import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { pathIn } from "../shell/analysis/directories.ts";
import { isDiscarded } from "../shell/analysis/read-only/discarded.ts";
import {
  type CommandAnalysis,
  namedProgram,
  programOf,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";
import { redirected } from "./command-files.ts";
import { type CommandPath, mayBePattern, namesOnlyIn } from "./command-path.ts";
import type { PermissionContext } from "./context.ts";
import { isFreeCommand, judgedAnalysis, meetsReadRules, readableFolders } from "./free.ts";
import { allowsWhole, type Hit, patternAllows, patternHits } from "./match-command.ts";
import { matchesPath } from "./match-path.ts";
import { keptInDecision } from "./one-decision.ts";
import { placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";
import { isWorkspaceCommand, writesInWorkspace } from "./workspace-edit.ts";

/** Whether a deny or ask rule is about a command line. */
export async function ruleHits(
  pattern: string,
  line: string,
  context: PermissionContext,
  analysis = analyzeCommand(line),
): Promise<Hit> {
  return patternHits(pattern, line, analysis, await realNames(analysis, context));
}

/** Programs called by a path, and the name of the file that the path leads to: a link may carry any name. */
const realNames = keptInDecision(async ({ commands }: CommandAnalysis, context): Promise<Map<string, string>> => {
  const names = new Map<string, string>();
  for (const command of withStarted(commands)) {
    const path = command.words[0]?.value ?? "";
    if (!path.includes("/") || namedProgram(command) !== undefined || names.has(path)) continue;
    for (const directory of command.directories) {
      const { real } = await placeOf(pathIn(directory ?? "", path), context);
      for (const file of real) names.set(path, programOf({ words: [{ value: file, source: file }] }));
    }
  }
  return names;
});

/**
 * The rule by which a command line may run: each of its commands reads only, or is covered by an allow rule of the list.
 * Undefined: some command, or some file that it writes, is not covered.
 */
export async function allowingRule(
  line: string,
  rules: readonly Rule[],
  context: PermissionContext,
): Promise<Rule | undefined> {
  const patterns = rules.filter(({ tool }) => tool === "Bash");
  const bare =
    patterns.find(({ spec }) => spec === undefined) ?? patterns.find(({ spec = "" }) => allowsWhole(spec, line));
  if (bare !== undefined) return bare;
  const analysis = judgedAnalysis(line);
  if (analysis === undefined) return undefined;
  let found: Rule | undefined;
  for (const command of analysis.commands) {
    const cover = await coverOf(command, rules, context);
    if (cover === undefined) return undefined;
    if (cover !== "free") found ??= cover;
  }
  return found ?? rules.find(({ tool }) => tool === "Edit");
}

/** What lets one command of a line run: it does so freely, or a rule covers it. Undefined: it must be asked about. */
export async function coverOf(
  command: SimpleCommand,
  rules: readonly Rule[],
  context: PermissionContext,
): Promise<Rule | "free" | undefined> {
  for (const each of withStarted([command])) if (!(await mayRedirect(each, rules, context))) return undefined;
  if (await runsFreely(command, context)) return "free";
  return rules.find(({ tool, spec = "" }) => tool === "Bash" && patternAllows(spec, command));
}

async function runsFreely(command: SimpleCommand, context: PermissionContext): Promise<boolean> {
  if (meetsReadRules([command], context)) return false;
  const isEditing = context.mode === "acceptEdits";
  for (const each of withStarted([command])) {
    if (!(isEditing ? await isWorkspaceCommand(each, context) : await isFreeCommand(each, context))) return false;
  }
  return true;
}

/** Whether the files that its redirections read and write may be read and written. */
async function mayRedirect(
  command: SimpleCommand,
  rules: readonly Rule[],
  context: PermissionContext,
): Promise<boolean> {
  for (const path of redirected("input", command)) {
    const isReadable = await namesOnlyIn(path, readableFolders(context), context);
    if (!isReadable && path?.path !== "/dev/null" && !(await isCovered(path, rules, ["Read", "Edit"], context)))
      return false;
  }
  if (redirected("output", command).some((path) => path?.path.startsWith("~"))) return false;
  if (context.mode === "acceptEdits" && (await writesInWorkspace(command, context))) return true;
  for (const path of redirected("output", command)) {
    if (path !== undefined && isDiscarded(path.path)) continue;
    if (!(await isCovered(path, rules, ["Edit"], context))) return false;
  }
  return true;
}

async function isCovered(
  path: CommandPath,
  rules: readonly Rule[],
  tools: readonly string[],
  context: PermissionContext,
): Promise<boolean> {
  if (path === undefined || path.isGlob || mayBePattern(path, context)) return false;
  const place = await placeOf(path.path, context);
  for (const rule of rules) {
    if (!tools.includes(rule.tool)) continue;
    if (rule.spec === undefined) return true;
    if (await matchesPath({ ...rule, spec: rule.spec }, place, "narrow", context)) return true;
  }
  return false;
}
