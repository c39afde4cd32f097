import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { MAX_JUDGED_CHARS, writesNothing } from "../shell/analysis/read-only/read-only-command.ts";
import { readsOnly } from "../shell/analysis/read-only/verdict.ts";
import { isOption, type ShellWord } from "../shell/analysis/shell-word.ts";
import {
  type CommandAnalysis,
  namedProgram,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";
import { redirected } from "./command-files.ts";
import { type CommandPath, holdsOnlyIn, mayBePattern, namesOnlyIn, pathsOf } from "./command-path.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { liesIn, type Place, placeOf } from "./place.ts";
import { isPlainArchive } from "./plain-archive.ts";
import { readsUnnamed } from "./reads-unnamed.ts";
import { gitInItsFolder, isSameRepository } from "./same-repository.ts";
import { isOfFamily } from "./tool-family.ts";

/** They act on the session alone, or what they start is judged call by call. */
const sessionTools: ReadonlySet<string> = new Set(
  (
    "Agent TaskCreate TaskGet TaskUpdate TaskList TaskStop TaskOutput TodoWrite ToolSearch EnterPlanMode SendMessage " +
    "ListMcpResourcesTool ReadMcpResourceTool ReadMcpResourceDirTool WaitForMcpServers"
  ).split(" "),
);

/** They reach out of this machine or change how the session goes on. */
const alwaysAsked: ReadonlySet<string> = new Set(
  "WebFetch WebSearch Skill ExitPlanMode EnterWorktree Monitor Workflow Artifact".split(" "),
);

/** Whether the call only looks, and only where it may: such calls run in every mode. */
export async function isFree(request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  const { rules } = context;
  if (sessionTools.has(request.tool)) return true;
  if (request.tool === "Cd" && rules.allow.some(({ tool }) => tool === "Cd")) return false; // those that are listed only
  const isForeign = request.tool.startsWith("mcp__"); // what a server says of its own tools is no proof
  if (isForeign || alwaysAsked.has(request.tool)) return false;
  if (!request.isReadOnly && !isOfFamily(request.tool, "Bash")) return false;
  const readable = readableFolders(context);
  for (const touch of request.touches) {
    if (touch.type === "write" || touch.type === "url") return false;
    if (touch.type === "read" && !(await isReadable(touch.path, readable, context))) return false;
    if (touch.type === "command" && !(await isFreeCommandLine(touch.command, context))) return false;
  }
  return request.isReadOnly || request.touches.length > 0;
}

/** Where no file can be, such as behind links that lead in a circle, the tool says so: there is nothing to ask about. */
async function isReadable(path: string, folders: readonly string[], context: PermissionContext): Promise<boolean> {
  const place = await placeOf(path, context);
  if (place.fault === undefined) return liesIn(place, folders);
  return !path.includes("..") && liesIn({ ...place, real: [place.lexical] }, folders);
}

export const readableFolders = ({ directories, readableDirectories = [] }: PermissionContext): string[] => [
  ...directories,
  ...readableDirectories,
];

async function isFreeCommandLine(line: string, context: PermissionContext): Promise<boolean> {
  const analysis = judgedAnalysis(line);
  if (analysis === undefined) return false;
  for (const command of withStarted(analysis.commands)) {
    if (!writesNothing(command) || !(await isFreeCommand(command, context, "reads"))) return false;
  }
  return !meetsReadRules(analysis.commands, context);
}

/** What a command line does, when all of it is known and it is short enough to be judged. */
export function judgedAnalysis(line: string): CommandAnalysis | undefined {
  if (line.length > MAX_JUDGED_CHARS) return undefined;
  const analysis = analyzeCommand(line);
  return analysis.doubts.length > 0 ? undefined : analysis;
}

/**
 * Whether one command, what it starts and writes left aside, only reads, and only where it may. `line`: whether the others of its
 * line do so too, or may put a repository into a folder before it.
 */
export async function isFreeCommand(
  written: SimpleCommand,
  context: PermissionContext,
  line: "reads" | "mixed" = "mixed",
): Promise<boolean> {
  const command = line === "reads" ? gitInItsFolder(written) : written;
  const reads = readsOnly(command);
  if (reads === undefined) return false;
  const { directories } = command;
  if (context.shell === "zsh" && command.words.some(mayBecomeOptionToZsh)) return false;
  // Another folder may hold a repository whose own settings start programs.
  if (namedProgram(command) === "git") {
    for (const each of directories) {
      if (each !== "" && (line === "mixed" || !(await isSameRepository(each, context)))) return false;
    }
    if (((await context.gitPrograms?.(context.cwd)) ?? []).length > 0) return false;
  }
  const folders = readableFolders(context);
  for (const path of redirected("input", command)) if (!(await readsFrom(path, folders, context))) return false;
  for (const word of reads.files) {
    if (word.isListed === true) continue;
    if (word.foundBelow !== undefined) {
      if (namedProgram(command) === "diff") return false; // it may be a folder
      const all = pathsOf(
        { value: `${word.foundBelow}/**`, source: "", globAt: word.foundBelow.length + 1 },
        directories,
      );
      for (const path of all) if (!(await namesOnlyIn(path, folders, context))) return false;
      continue;
    }
    for (const path of pathsOf(word, directories)) {
      if (!(await readsFrom(path, folders, context))) return false;
      // Of two folders it reads the files, wherever links in them lead.
      if (namedProgram(command) === "diff" && !(await holdsOnlyIn(path, isDeepDiff(command), folders, context)))
        return false;
    }
  }
  for (const path of (reads.archives ?? []).flatMap((word) => pathsOf(word, directories))) {
    if (path === undefined || !(await isPlainArchive(path.path, context))) return false;
  }
  for (const path of reads.maybe.flatMap((word) => pathsOf(word, directories))) {
    if (path === undefined || (mayBePattern(path, context) && namedProgram(command) !== "git")) return false;
    const place = await placeOf(path.path, context);
    if (!liesIn(place, folders) && (await isThere(place, context))) return false;
  }
  return true;
}

/** The names that a pattern at its beginning matches, or one in an option, may be other options. */
const mayBecomeOptionToZsh = (word: ShellWord): boolean =>
  word.extendedAt === 0 || (word.extendedAt !== undefined && isOption(word));

const isDeepDiff = ({ words }: SimpleCommand): boolean => words.some(({ value }) => /^-[^-]*r|^--r/.test(value));

const standardInput = /^\/dev\/(?:null|stdin)$/;
/** What the system tells everybody about itself. */
const aboutSystem = /^\/(?:etc\/os-release|proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

async function readsFrom(path: CommandPath, folders: readonly string[], context: PermissionContext): Promise<boolean> {
  if (path !== undefined && (standardInput.test(path.path) || aboutSystem.test(path.path))) return true;
  return namesOnlyIn(path, folders, context);
}

/** A search through folders may meet files that a rule keeps from being read: that is not for the mode to allow. */
export function meetsReadRules(commands: readonly SimpleCommand[], { rules }: PermissionContext): boolean {
  if (!withStarted(commands).some(readsUnnamed)) return false;
  return [...rules.deny, ...rules.ask].some(({ tool, spec }) => tool === "Read" && spec !== undefined);
}

async function isThere({ lexical, real }: Place, { files }: PermissionContext): Promise<boolean> {
  try {
    for (const path of [lexical, ...real])
      if (path !== "/dev/null" && (await files.stat(path)) !== undefined) return true;
    return false;
  } catch {
    return true; // it cannot be looked at, so it may be there
  }
}
