import { isOption, type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import {
  argumentsOf,
  type CommandAnalysis,
  programOf,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";
import { pathsOf } from "./command-path.ts";
import type { PermissionContext } from "./context.ts";
import { keptInDecision } from "./one-decision.ts";
import { matchesPathGlob } from "./path-glob.ts";
import { placeOf } from "./place.ts";
import { readsUnnamed } from "./reads-unnamed.ts";

/** Of folders that hold more than so much, all together, nobody has time to say what would be read. Entries. */
const MAX_MET_ENTRIES = 20_000;

const searchers: ReadonlySet<string> = new Set(["grep", "rg", "diff"]);
/** They take folders with all that is in them, and what they take can be read elsewhere. */
const carriers: ReadonlySet<string> = new Set("cp mv ln tar zip 7z rsync scp install".split(" "));
/** They change or take away all that is in a folder. */
const changers: ReadonlySet<string> = new Set("mv rm chmod chown chgrp rsync shred".split(" "));

type Met = Promise<readonly string[] | undefined>;

/**
 * The files, links and folders that a command line comes upon below folders that it searches, copies or moves, absolute, and
 * where those links lead; undefined when that cannot be said.
 */
export const metByReading = keptInDecision(
  ({ commands }: CommandAnalysis, context): Met =>
    metBelow(
      withStarted(commands).flatMap((command) => {
        if (searchers.has(programOf(command))) return readsUnnamed(command) ? [searchOf(command)] : [];
        return carriers.has(programOf(command)) ? [wholeOf(command)] : [];
      }),
      context,
    ),
);

/** The same of folders that it changes, moves or removes. */
export const metByWriting = keptInDecision(
  ({ commands }: CommandAnalysis, context): Met =>
    metBelow(
      withStarted(commands)
        .filter((command) => changers.has(programOf(command)))
        .map(wholeOf),
      context,
    ),
);

async function metBelow(searches: readonly (Search | undefined)[], context: PermissionContext): Met {
  const met: string[] = [];
  for (const search of searches) {
    if (search === undefined) return undefined;
    for (const folder of search.folders) if (!(await meet(folder, search.takes, met, context))) return undefined;
  }
  return met;
}

type Search = { folders: readonly string[]; takes: (name: string, type: string) => boolean };

/** Where a search looks, and which names it takes; undefined when only the running command knows. */
function searchOf(command: SimpleCommand): Search | undefined {
  const values = argumentsOf(command).map(({ value }) => value);
  const { operands, isSure } = operandsOf(command);
  const paths = operands.flatMap((word) => pathsOf(word, command.directories));
  const here = command.directories.map((each) => (each === "" ? "." : each));
  const named = paths.map((path) => (path?.isGlob === false ? path.path : undefined));
  const folders = isSure && named.length > 0 ? named : [...named, ...here];
  if (folders.includes(undefined)) return undefined;
  const included = valuesOf("include", values);
  const excluded = valuesOf("exclude-dir", values);
  const skipsHidden =
    programOf(command) === "rg" && !values.some((value) => /^(?:--hidden|-[a-zA-Z]*[u.])/.test(value));
  return {
    folders: folders.flatMap((each) => each ?? []),
    takes: (name, type) => {
      if (skipsHidden && name.startsWith(".")) return false;
      if (type === "folder") return !excluded.includes(name);
      return included.length === 0 || included.some((each) => mayMatch(each, name));
    },
  };
}

/** All that is in whatever the words name. */
function wholeOf(command: SimpleCommand): Search | undefined {
  const operands = argumentsOf(command).filter((word) => !isOption(word));
  const named = operands.flatMap((word) => pathsOf(word, command.directories));
  const folders = named.map((path) => (path?.isGlob === false ? path.path : undefined));
  return folders.includes(undefined)
    ? undefined
    : { folders: folders.flatMap((each) => each ?? []), takes: () => true };
}

/** Options of grep that take no word of their own, nor are the pattern. */
const lone = /^(?:-[rRnilcwovEFPHhsxzqabIULS]+|--(?!reg|f)[a-z-]+=.*|--(?:recursive|line-number|ignore-case|color))$/s;

/** What may be folders among the words. `isSure`: nothing else is, and with none the search is here. */
function operandsOf(command: SimpleCommand): { operands: ShellWord[]; isSure: boolean } {
  const args = argumentsOf(command);
  const operands = args.filter((word) => !isOption(word));
  if (programOf(command) === "diff") return { operands, isSure: true };
  const isSure = programOf(command) === "grep" && args.every((word) => !isOption(word) || lone.test(word.value));
  return { operands: isSure ? operands.slice(1) : operands, isSure };
}

function valuesOf(option: string, values: readonly string[]): string[] {
  return values.flatMap((value) => (value.startsWith(`--${option}=`) ? [value.slice(option.length + 3)] : []));
}

const mayMatch = (pattern: string, name: string): boolean =>
  /[[\\{]/.test(pattern) ||
  pattern.includes(UNKNOWN) ||
  matchesPathGlob({ glob: pattern, isRelative: false }, name, "wide");

/** Whether all below a folder could be looked at; `met` gets it. */
async function meet(
  folder: string,
  takes: Search["takes"],
  met: string[],
  context: PermissionContext,
): Promise<boolean> {
  const open = [(await placeOf(folder, context)).lexical];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await context.files.list?.(at, MAX_MET_ENTRIES - met.length);
    if (entries === undefined) {
      if ((await context.files.stat(at).catch(() => undefined))?.isDirectory === true) return false;
      continue;
    }
    for (const { name, type } of entries) {
      if (!takes(name, type)) continue;
      const path = `${at === "/" ? "" : at}/${name}`;
      met.push(path);
      if (type === "folder") open.push(path);
      if (type === "link") met.push(...(await placeOf(path, context)).real); // some searches follow it
    }
    if (met.length >= MAX_MET_ENTRIES) return false;
  }
  return true;
}
