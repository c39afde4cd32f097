import { isHarmlessAssignment } from "../shell/analysis/meaning.ts";
import { isDiscarded } from "../shell/analysis/read-only/discarded.ts";
import { isKnown, isOption, type ShellWord } from "../shell/analysis/shell-word.ts";
import { argumentsOf, namedProgram, type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import { redirected } from "./command-files.ts";
import { holdsOnlyIn, namesOnlyIn, pathsOf } from "./command-path.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { isFreeCommand, judgedAnalysis } from "./free.ts";
import { liesIn, placeOf } from "./place.ts";
import { isOfFamily } from "./tool-family.ts";

const fileCommands: ReadonlySet<string> = new Set("mkdir touch rm rmdir mv cp sed".split(" "));

/** What `acceptEdits` adds: edits of files in the working directories, by tool or by plain file commands. */
export async function isWorkspaceEdit(request: PermissionRequest, context: PermissionContext): Promise<boolean> {
  const { touches, tool } = request;
  if (touches.length === 0 || !(isOfFamily(tool, "Edit") || tool === "Bash")) return false;
  for (const touch of touches) {
    if (touch.type === "read" || touch.type === "write") {
      if (!liesIn(await placeOf(touch.path, context), context.directories)) return false;
    } else if (touch.type !== "command" || !(await isWorkspaceCommandLine(touch.command, context))) return false;
  }
  return true;
}

async function isWorkspaceCommandLine(line: string, context: PermissionContext): Promise<boolean> {
  for (const command of withStarted(judgedAnalysis(line)?.commands ?? [])) {
    if (!(await writesInWorkspace(command, context))) return false;
    if (!(await isWorkspaceCommand(command, context))) return false;
  }
  return judgedAnalysis(line) !== undefined;
}

/** Whether its redirections write to files in the working directories only. */
export async function writesInWorkspace(command: SimpleCommand, context: PermissionContext): Promise<boolean> {
  for (const path of redirected("output", command)) {
    const isSafe = path !== undefined && !path.isGlob && !path.path.startsWith("~");
    if (!isSafe || !(isDiscarded(path.path) || (await namesOnlyIn(path, context.directories, context)))) return false;
  }
  return true;
}

/** Whether a command, its redirections left aside, only reads or is a plain change of files, all in the working directories. */
export async function isWorkspaceCommand(command: SimpleCommand, context: PermissionContext): Promise<boolean> {
  return (await isFreeCommand(command, context)) || (await isFileCommand(command, context));
}

async function isFileCommand(command: SimpleCommand, context: PermissionContext): Promise<boolean> {
  const program = namedProgram(command) ?? "";
  const args = argumentsOf(command);
  if (!fileCommands.has(program) || !command.assignments.every(isHarmlessAssignment)) return false;
  const options = args.filter(isOption);
  const operands = args.filter((word) => !isOption(word));
  if (options.some((option) => !isKnown(option) || !/^--?[a-zA-Z]*$/.test(option.value))) return false; // it may carry a path
  if (
    program === "sed" &&
    !isPlainSubstitution(
      options.map(({ value }) => value),
      operands.shift()?.value,
    )
  )
    return false;
  for (const path of operands.flatMap((word) => pathsOf(word, command.directories))) {
    if (!(await namesOnlyIn(path, context.directories, context))) return false;
  }
  if (program === "cp" && !(await copiesWithin(operands, options, command, context))) return false;
  return operands.length > 0;
}

/** `cp` writes through the links in the folder that it copies into, and reads through others when it is told to. */
async function copiesWithin(
  operands: readonly ShellWord[],
  options: readonly ShellWord[],
  { directories }: SimpleCommand,
  context: PermissionContext,
): Promise<boolean> {
  const has = (option: RegExp) => options.some(({ value }) => option.test(value));
  const isDeep = has(/^-[a-zA-Z]*[rRa]|^--[ra]/);
  const all = has(/^-[a-zA-Z]*[LHt]|^--[dt]/);
  for (const path of (all ? operands : operands.slice(-1)).flatMap((word) => pathsOf(word, directories))) {
    if (!(await holdsOnlyIn(path, isDeep, context.directories, context))) return false;
  }
  return true;
}

/** Elsewhere the word after `-i` is a suffix, and the script is the word that looks like a file. */
const isGnuSed = process.platform === "linux";
const substitution = /^s([/|,#:])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gIip0-9]*$/;

/** One `s` command: every other script of sed may write files or run commands. */
function isPlainSubstitution(options: readonly string[], script = ""): boolean {
  return isGnuSed && options.every((option) => /^-[inEr]+$/.test(option)) && substitution.test(script);
}
