import { harmlessVariables } from "../shell/analysis/meaning.ts";
import { MAX_JUDGED_CHARS } from "../shell/analysis/read-only/read-only-command.ts";
import { isKnown, isOption, type ShellWord } from "../shell/analysis/shell-word.ts";
import {
  argumentsOf,
  type CommandAnalysis,
  programOf,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";
import { hasOptions, operandLists, type Presence } from "./command-options.ts";
import { mentions } from "./mentions.ts";
import { matchesPieces, matchesWildcard, type Piece } from "./wildcard.ts";

/** Whether a rule is about a command line: surely, not, or only the running command will show it. */
export type Hit = Presence;

/**
 * Whether a deny or ask pattern hits anything that a command line may run. Programs are compared, not texts: with or
 * without folder, however quoted and wrapped, their options as a set. `realNames` are further names of a program that is
 * called by a path.
 */
export function patternHits(
  pattern: string,
  command: string,
  { commands, doubts }: CommandAnalysis,
  realNames: ReadonlyMap<string, string> = new Map(),
): Hit {
  if (matchesPattern(pattern, command.trim())) return "yes";
  const wanted = parsePattern(pattern);
  let isOpen = doubts.length > 0;
  for (const each of withStarted(commands)) {
    const hit = hitOf(pattern, wanted, each, realNames);
    if (hit === "yes") return "yes";
    isOpen ||= hit === "maybe";
  }
  if (isOpen) return "maybe";
  const program = wanted?.program ?? leadingWord(pattern);
  return program !== undefined && mentions(commands, program) ? "maybe" : "no";
}

const leadingWord = (pattern: string): string | undefined => /^[\w./+-]+(?=[*\s])/.exec(pattern)?.[0];

/** `git clean -fd *`: the program, options and operands of a pattern, and whether more may follow. */
type ProgramPattern = {
  program: string;
  options: readonly string[];
  operands: readonly string[];
  isOpenEnded: boolean;
};

function parsePattern(pattern: string): ProgramPattern | undefined {
  const words = withoutColon(pattern)
    .split(/\s+/)
    .filter((word) => word !== "");
  const hasStar = words.at(-1) === "*" && words.length > 1;
  const [program = "", ...rest] = hasStar ? words.slice(0, -1) : words;
  if (program === "" || /[*=]/.test(program)) return undefined;
  const options = rest.filter((word) => /^-./.test(word));
  // What follows the options of a denied program hardly makes it harmless: `rm -rf` means `rm -rf x` too.
  const isOpenEnded = hasStar || /^-./.test(rest.at(-1) ?? "");
  return { program: baseName(program), options, operands: rest.filter((word) => !/^-./.test(word)), isOpenEnded };
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

function hitOf(
  pattern: string,
  wanted: ProgramPattern | undefined,
  command: SimpleCommand,
  realNames: ReadonlyMap<string, string>,
): Hit {
  const path = command.words[0]?.value ?? "";
  const names = [path, programOf(command), realNames.get(path) ?? ""].filter((name) => name !== "");
  if (names.some((name) => textsOf(command, name).some((text) => matchesPattern(pattern, text)))) return "yes";
  if (wanted === undefined || !names.some((name) => baseName(name) === wanted.program)) return "no";
  const args = argumentsOf(command);
  const isExact = wanted.options.length === 0 && !wanted.isOpenEnded;
  const options = isExact && args.some(isOption) ? "no" : hasOptions(args, wanted.options);
  if (options === "no") return "no";
  const operands = best(operandLists(wanted.program, args).map((list) => matchOperands(wanted, list)));
  return operands === "yes" ? options : operands;
}

/** How a pattern may write the command: as it is written or as the shell reads it, with or without its assignments. */
function textsOf({ words, assignments }: SimpleCommand, program: string): string[] {
  const written = words.map(({ source }) => source).join(" ");
  const read = [program, ...words.slice(1).map(({ value }) => value)].join(" ");
  const before = assignments.map(({ name, value }) => `${name}=${value.source} `).join("");
  return before === "" ? [written, read] : [written, read, before + written, before + read];
}

function matchOperands({ operands, isOpenEnded }: ProgramPattern, words: readonly ShellWord[]): Hit {
  const pieces = (isMaybe: boolean): Piece<ShellWord>[] => [
    ...operands.map((operand): Piece<ShellWord> => {
      if (operand === "*") return "any";
      return (word) => matchesWildcard(operand, word.value) || (isMaybe && !isKnown(word));
    }),
    ...(isOpenEnded ? (["any"] as const) : []),
  ];
  if (matchesPieces(pieces(false), words)) return "yes";
  if (
    words.some(({ maySplit }) => maySplit === true) &&
    words.every((word) => !isKnown(word) || operands.includes(word.value))
  )
    return "maybe";
  return matchesPieces(pieces(true), words) ? "maybe" : "no";
}

const best = (hits: readonly Hit[]): Hit =>
  hits.find((hit) => hit === "yes") ?? hits.find((hit) => hit === "maybe") ?? "no";

/** Whether an allow pattern covers one command, apart from its redirections and from the commands in its substitutions. */
export function patternAllows(pattern: string, command: SimpleCommand): boolean {
  if (command.wrapper === "transparent" && command.starts.length > 0 && areHarmless(command)) {
    if (command.starts.every((each) => patternAllows(pattern, each))) return true;
  }
  const [program] = command.words;
  if (program === undefined || !isKnown(program)) return false;
  const written = command.words
    .map(({ source }) => source)
    .join(" ")
    .trim();
  const read = command.words.map(({ value }) => value).join(" ");
  const isExactOnly = command.wrapper === "executor" || removesFound(command);
  if (command.assignments.length > 0 && isCoveredWithAssignments(pattern, command, written)) return true;
  if (!areHarmless(command)) return false;
  if (isExactOnly) return pattern === written;
  if (matchesPattern(pattern, written)) return true;
  const isPlain = command.words.every((word) => word.value !== "" && !/\s/.test(word.value));
  return isPlain && matchesPattern(pattern, read);
}

/** A pattern that begins with assignments means a command with the very same ones. */
function isCoveredWithAssignments(pattern: string, { assignments }: SimpleCommand, written: string): boolean {
  const isKnownToo = assignments.every(({ value }) => isKnown(value));
  const before = assignments.map(({ name, value }) => `${name}=${value.source} `).join("");
  return isKnownToo && /^[A-Za-z_]\w*=/.test(pattern) && matchesPattern(pattern, before + written);
}

/** Whether an exact rule was written for the whole command line. */
export const allowsWhole = (pattern: string, command: string): boolean =>
  command.length <= MAX_JUDGED_CHARS && !pattern.includes("*") && pattern === command.trim();

/** `prefix *` ends at a word; `prefix:*` is the same; `*` elsewhere stands for any characters. */
function matchesPattern(pattern: string, text: string): boolean {
  const written = withoutColon(pattern);
  if (written.endsWith(" *") && matchesWildcard(written.slice(0, -2), text)) return true;
  return matchesWildcard(written, text);
}

const withoutColon = (pattern: string) => (pattern.endsWith(":*") ? `${pattern.slice(0, -2)} *` : pattern);

const areHarmless = ({ assignments }: SimpleCommand): boolean =>
  assignments.every(({ name }) => harmlessVariables.has(name));

const findActions = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/;

/** What such a `find` does is not what a prefix of its text says. */
const removesFound = (command: SimpleCommand): boolean =>
  programOf(command) === "find" && argumentsOf(command).some((word) => !isKnown(word) || findActions.test(word.value));
