import { keptPer } from "../lib/kept-per.ts";
import { isHarmlessAssignment } from "../shell/analysis/meaning.ts";
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
import { matchesPieces, type Piece, wildcardTest } from "./wildcard.ts";

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
  const isMeant = patternTest(pattern);
  if (isMeant(command.trim())) return "yes";
  const wanted = parsePattern(pattern);
  let isOpen = doubts.length > 0;
  for (const each of withStarted(commands)) {
    const hit = hitOf(isMeant, wanted, each, realNames);
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
  /** What the operands of a command must be, word by word. */
  pieces: readonly Piece<ShellWord>[];
  /** The same where a word that is not known may be any. */
  openPieces: readonly Piece<ShellWord>[];
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
  const operands = rest.filter((word) => !/^-./.test(word));
  const pieces = operands.map((operand) => (operand === "*" ? "any" : wildcardTest(operand)));
  const more = isOpenEnded ? (["any"] as const) : [];
  return {
    program: baseName(program),
    options,
    operands,
    pieces: [...pieces.map((piece) => ofWord(piece, () => false)), ...more],
    openPieces: [...pieces.map((piece) => ofWord(piece, (word) => !isKnown(word))), ...more],
    isOpenEnded,
  };
}

const ofWord = (piece: Piece<string>, isOpen: (word: ShellWord) => boolean): Piece<ShellWord> =>
  piece === "any" ? "any" : (word) => piece(word.value) || isOpen(word);

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

function hitOf(
  isMeant: (text: string) => boolean,
  wanted: ProgramPattern | undefined,
  command: SimpleCommand,
  realNames: ReadonlyMap<string, string>,
): Hit {
  const { texts, names } = calledAs(command);
  if (texts.some(isMeant)) return "yes";
  const real = realNames.get(command.words[0]?.value ?? "") ?? "";
  if (real !== "" && textsOf(command, real).some(isMeant)) return "yes";
  if (wanted === undefined || !(names.includes(wanted.program) || baseName(real) === wanted.program)) return "no";
  const isExact = wanted.options.length === 0 && !wanted.isOpenEnded;
  const options = isExact && takesOptions(command) ? "no" : hasOptions(argumentsOf(command), wanted.options);
  if (options === "no") return "no";
  const operands = best(operandsOf(command)(wanted.program).map((list) => matchOperands(wanted, list)));
  return operands === "yes" ? options : operands;
}

/** The names that a command calls its program by, without their folders, and all that a pattern may write for it. */
const calledAs = keptPer((command: SimpleCommand) => {
  const names = new Set([command.words[0]?.value ?? "", programOf(command)].filter((name) => name !== ""));
  const texts = [...names].flatMap((name) => textsOf(command, name));
  return { names: [...names].map(baseName), texts: [...new Set(texts)] };
});

/** How a pattern may write the command: as it is written or as the shell reads it, with or without its assignments. */
function textsOf({ words, assignments }: SimpleCommand, program: string): string[] {
  const written = words.map(({ source }) => source).join(" ");
  const read = [program, ...words.slice(1).map(({ value }) => value)].join(" ");
  const before = assignments.map(({ name, value }) => `${name}=${value.source} `).join("");
  return before === "" ? [written, read] : [written, read, before + written, before + read];
}

const takesOptions = keptPer((command: SimpleCommand) => argumentsOf(command).some(isOption));

/** Its operands when its program is taken for the one of that name. */
const operandsOf = keptPer((command: SimpleCommand) => {
  const lists = new Map<string, ShellWord[][]>();
  return (program: string): ShellWord[][] => {
    const found = lists.get(program) ?? operandLists(program, argumentsOf(command));
    lists.set(program, found);
    return found;
  };
});

function matchOperands({ operands, pieces, openPieces }: ProgramPattern, words: readonly ShellWord[]): Hit {
  if (matchesPieces(pieces, words)) return "yes";
  if (
    words.some(({ maySplit }) => maySplit === true) &&
    words.every((word) => !isKnown(word) || operands.includes(word.value))
  )
    return "maybe";
  return matchesPieces(openPieces, words) ? "maybe" : "no";
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
  const { written, read, isPlain } = textsToAllow(command);
  const isExactOnly = command.wrapper === "executor" || removesFound(command);
  if (command.assignments.length > 0 && isCoveredWithAssignments(pattern, command, written)) return true;
  if (!areHarmless(command)) return false;
  if (isExactOnly) return pattern === written;
  if (matchesPattern(pattern, written)) return true;
  return isPlain && matchesPattern(pattern, read);
}

const textsToAllow = keptPer(({ words }: SimpleCommand) => ({
  written: words
    .map(({ source }) => source)
    .join(" ")
    .trim(),
  read: words.map(({ value }) => value).join(" "),
  /** Read, it says as many words as written. */
  isPlain: words.every((word) => word.value !== "" && !/\s/.test(word.value)),
}));

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
function patternTest(pattern: string): (text: string) => boolean {
  const written = withoutColon(pattern);
  const isWhole = wildcardTest(written);
  if (!written.endsWith(" *")) return isWhole;
  const isBare = wildcardTest(written.slice(0, -2));
  return (text) => isBare(text) || isWhole(text);
}

const matchesPattern = (pattern: string, text: string): boolean => patternTest(pattern)(text);

const withoutColon = (pattern: string) => (pattern.endsWith(":*") ? `${pattern.slice(0, -2)} *` : pattern);

const areHarmless = ({ assignments }: SimpleCommand): boolean => assignments.every(isHarmlessAssignment);

const findActions = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/;

/** What such a `find` does is not what a prefix of its text says. */
const removesFound = (command: SimpleCommand): boolean =>
  programOf(command) === "find" && argumentsOf(command).some((word) => !isKnown(word) || findActions.test(word.value));
