import { posix } from "node:path";
import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { pathIn } from "../shell/analysis/directories.ts";
import { MAX_PARSED_CHARS } from "../shell/analysis/parse-shell.ts";
import { isOption, type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import { argumentsOf, programOf, type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import type { PermissionContext } from "./context.ts";
import { placeOf } from "./place.ts";
import { isWithin, type Platform } from "./platform.ts";

/** A removal of more targets than this is asked about unread. */
const MAX_REMOVAL_TARGETS = 200;

const removers: ReadonlySet<string> = new Set(["rm", "rmdir"]);
/** `$DIR/*`: everything at the root when the variable is empty. */
const emptyVariableRisk = /^\0+\/[*./]*$/;
const wholeFolder = /(?:^|\/)(?:\*[*.]*|\.\*|\.\[[!^]?\.\]\*|\.\?\?\*)$/;

/** The first target of an `rm` or `rmdir` anywhere in the command whose loss no rule or mode may approve unasked. */
export async function criticalRemoval(line: string, context: PermissionContext): Promise<string | undefined> {
  if (line.length > MAX_PARSED_CHARS) return "what is hidden in so long a command";
  const { commands, doubts } = analyzeCommand(line);
  if (commands.length === 0 && doubts.length > 0) return mentionsRemoval(line) ? "what cannot be read" : undefined;
  return removalAmong(commands, context);
}

/** The same among commands that have been read. */
export async function removalAmong(
  commands: readonly SimpleCommand[],
  context: PermissionContext,
): Promise<string | undefined> {
  const removals = withStarted(commands).flatMap(removalOf);
  const targets = removals.flatMap(({ targets }) => targets);
  if (targets.length > MAX_REMOVAL_TARGETS) return `${targets.length} files`;
  const here = await placeOf(".", context);
  const kept = [context.startCwd, context.home, here.lexical, ...here.real];
  for (const { targets, directories } of removals) {
    for (const target of targets) {
      if (emptyVariableRisk.test(target.value)) return shown(target);
      for (const directory of directories) {
        if (await isCritical(target, directory ?? "", kept, context)) return shown(target);
      }
    }
  }
  return undefined;
}

type Removal = { targets: readonly ShellWord[]; directories: SimpleCommand["directories"] };

/** What a command removes; one that is not understood may hand its last words to `rm`. */
function removalOf(command: SimpleCommand): Removal[] {
  const { words, directories } = command;
  const args = argumentsOf(command);
  if (removers.has(programOf(command).toLowerCase())) return [{ targets: operands(args), directories }];
  if (command.starts.length > 0) return [];
  const at = args.findIndex((word) => removers.has(programOf({ words: [word] })));
  const isHandedOn = at !== -1 && handsOn.has(programOf({ words }));
  return isHandedOn ? [{ targets: operands(args.slice(at + 1)), directories }] : [];
}

const handsOn: ReadonlySet<string> = new Set(
  "parallel sudo doas env exec xargs watch strace chroot unshare nsenter ssh script repeat su".split(" "),
);

const operands = (words: readonly ShellWord[]) => words.filter((word) => !isOption(word));

const mentionsRemoval = (line: string) => /\brm(?:dir)?\b/.test(line.replace(/['"\\]/g, ""));

const shown = ({ source, value }: ShellWord) => (source === "" ? value : source.replace(/["']/g, ""));

async function isCritical(
  { value }: ShellWord,
  directory: string,
  kept: readonly string[],
  context: PermissionContext,
): Promise<boolean> {
  if (value.includes(UNKNOWN)) return false;
  const written = pathIn(directory, value);
  const takesWholeFolder = wholeFolder.test(written);
  const folder = takesWholeFolder ? written.replace(wholeFolder, "") || (written.startsWith("/") ? "/" : ".") : written;
  const { lexical, real, platform } = await placeOf(folder, context);
  return [lexical, ...real].some(
    (path) =>
      isNearRoot(path, platform) ||
      kept.some((each) => isWithin(each, path, platform)) ||
      (takesWholeFolder && context.directories.some((each) => isWithin(each, path, platform))),
  );
}

/** The root and what stands in it; on Windows a drive and what stands in it, or a whole share. */
function isNearRoot(path: string, platform: Platform): boolean {
  if (platform !== "win32") return posix.dirname(path) === "/";
  return /^\/(?:[a-z](?:\/[^/]*)?|:unc(?:\/[^/]+){0,3}|:[a-z]+(?:\/[^/]+)?)?$/.test(path);
}
