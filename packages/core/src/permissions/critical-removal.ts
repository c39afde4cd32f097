import { posix } from "node:path";
import { analyzeAssuming, analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { pathIn } from "../shell/analysis/directories.ts";
import { MAX_PARSED_CHARS } from "../shell/analysis/parse-shell.ts";
import { isOption, literal, type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import { argumentsOf, programOf, type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import type { PermissionContext } from "./context.ts";
import { placeOf } from "./place.ts";
import { isWithin, type Platform } from "./platform.ts";

/** A removal of more targets than this is asked about unread. */
const MAX_REMOVAL_TARGETS = 200;

const removers: ReadonlySet<string> = new Set(["rm", "rmdir"]);
/** `$DIR/*`, `$A/$B`: everything at the root when the variables are empty. */
const emptyVariableRisk = /^\0+\/[*./\0]*$/;
const wholeFolder = /(?:^|\/)(?:\*[*.]*|\.\*|\.\[[!^]?\.\]\*|\.\?\?\*)$/;

/** The first target of an `rm` or `rmdir` anywhere in the command whose loss no rule or mode may approve unasked. */
export async function criticalRemoval(line: string, context: PermissionContext): Promise<string | undefined> {
  if (line.length > MAX_PARSED_CHARS) return "what is hidden in so long a command";
  const { commands, doubts } = analyzeCommand(line);
  if (commands.length === 0 && doubts.length > 0) return mentionsRemoval(line) ? "what cannot be read" : undefined;
  const removed = await removalAmong(commands, context);
  if (removed !== undefined || !mentionsRemoval(line)) return removed;
  return removalAmong(analyzeAssuming(line).commands, context);
}

/** The same among commands that have been read. */
export async function removalAmong(
  commands: readonly SimpleCommand[],
  context: PermissionContext,
): Promise<string | undefined> {
  const removals = withStarted(commands).flatMap(removalOf);
  if (removals.length === 0) return undefined;
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
  if (programOf(command) === "find") return removesAllFound(command) ? [{ targets: startsOf(args), directories }] : [];
  if (removers.has(programOf(command).toLowerCase())) return [{ targets: operands(args), directories }];
  if (command.starts.length > 0) return [];
  const at = args.findIndex((word) => removers.has(programOf({ words: [word] })));
  const isHandedOn = at !== -1 && handsOn.has(programOf({ words }));
  return isHandedOn ? [{ targets: operands(args.slice(at + 1)), directories }] : [];
}

const handsOn: ReadonlySet<string> = new Set(
  "parallel sudo doas env exec xargs watch strace chroot unshare nsenter ssh script repeat su".split(" "),
);

/** Tests of `find` that leave nearly all files in, and words that are no test. */
const sparesNothing = /^-(?:depth|maxdepth|mindepth|xdev|mount|follow|type|print0?|noleaf|[HLPO]\w*|D)$/;

/** Whether a `find` removes what it finds without a test that picks some. */
function removesAllFound(command: SimpleCommand): boolean {
  const args = argumentsOf(command);
  const action = args.findIndex(({ value }) => /^-(?:delete|(?:exec|ok)(?:dir)?)$/.test(value));
  if (action === -1) return false;
  const doesRemove =
    args.some(({ value }) => value === "-delete") || command.starts.some((each) => removers.has(programOf(each)));
  return doesRemove && args.slice(0, action).every((word) => !isOption(word) || sparesNothing.test(word.value));
}

/** Where a `find` begins. */
function startsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const given = args.filter(({ value }, at) => !/^-[HLPOD]/.test(value) || at > 0);
  const end = given.findIndex(({ value }) => /^[-(!]/.test(value));
  const starts = end === -1 ? given : given.slice(0, end);
  return starts.length === 0 ? [literal(".")] : starts;
}

const operands = (words: readonly ShellWord[]) => words.filter((word) => !isOption(word));

const mentionsRemoval = (line: string) => /\brm(?:dir)?\b|-delete\b/.test(line.replace(/['"\\]/g, ""));

const shown = ({ source, value }: ShellWord) => (source === "" ? value : source.replace(/["']/g, ""));

async function isCritical(
  { value }: ShellWord,
  directory: string,
  kept: readonly string[],
  context: PermissionContext,
): Promise<boolean> {
  if (value.includes(UNKNOWN)) return isLostIfEmpty(value, context);
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

/** `/usr/$X`, `~/$X`: with nothing in the variable that folder itself. Anybody's files under `/tmp` come and go. */
async function isLostIfEmpty(value: string, context: PermissionContext): Promise<boolean> {
  if (value.startsWith(UNKNOWN)) return false;
  const { lexical, platform } = await placeOf(value.replaceAll(UNKNOWN, ""), context);
  return (isNearRoot(lexical, platform) && !/^\/tmp\/?$/.test(lexical)) || isWithin(context.home, lexical, platform);
}

/** The root and what stands in it; on Windows a drive and what stands in it, or a whole share. */
function isNearRoot(path: string, platform: Platform): boolean {
  if (platform !== "win32") return posix.dirname(path) === "/";
  return /^\/(?:[a-z](?:\/[^/]*)?|:unc(?:\/[^/]+){0,3}|:[a-z]+(?:\/[^/]+)?)?$/.test(path);
}
