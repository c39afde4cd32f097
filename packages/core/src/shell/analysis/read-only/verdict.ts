import { harmlessVariables, mayBeSet, shells } from "../meaning.ts";
import { isKnown, isOption, literal, mayBecomeOption, type ShellWord, UNKNOWN } from "../shell-word.ts";
import { argumentsOf, namedProgram, type SimpleCommand } from "../simple-command.ts";
import { findReads } from "./find.ts";
import { isReadOnlyGit } from "./git.ts";
import { mayHave, operandsOf } from "./options.ts";
import { readOnlyPrograms, versioned } from "./programs.ts";
import { awkReads, sedReads } from "./scripts.ts";

/** What a command reads that changes nothing. Words relative to the directories that it may run in. */
export type Reads = {
  /** Names of files, also such as are only known when it runs. */
  files: readonly ShellWord[];
  /** Words that name files only if those are there. */
  maybe: readonly ShellWord[];
};

const NOTHING: Reads = { files: [], maybe: [] };

/**
 * What the command itself reads, when it can change nothing and run nothing but what is written in it; undefined
 * otherwise. What it starts is a command of its own, and its redirections are not looked at.
 */
export function readsOnly(command: SimpleCommand): Reads | undefined {
  const args = argumentsOf(command);
  if (command.words.length === 0) return command.assignments.every(({ name }) => mayBeSet(name)) ? NOTHING : undefined;
  const program = namedProgram(command);
  if (program === undefined || !areHarmless(command, program)) return undefined;
  if (command.words.some(({ source }) => /^=\w/.test(source))) return undefined; // zsh puts a path in its place
  if (command.starts.length > 0 || program === "find") return readsOfStarter(program, args);
  const special = Object.hasOwn(specialPrograms, program) ? specialPrograms[program] : undefined;
  const [first] = args;
  if (args.length === 1 && first?.value === "--version" && versioned.has(program)) return NOTHING;
  return special === undefined ? readsOfListed(program, args) : special(args);
}

const areHarmless = ({ assignments }: SimpleCommand, program: string) =>
  assignments.every(
    ({ name, value }) => harmlessVariables.has(name) || (program === "read" && name === "IFS" && isKnown(value)),
  );

/** They add nothing of their own to what they start. */
const readOnlyStarters: ReadonlySet<string> = new Set(
  "timeout time nice nohup stdbuf command builtin noglob env xargs sh bash dash eval".split(" "),
);

function readsOfStarter(program: string, args: readonly ShellWord[]): Reads | undefined {
  if (program === "find") return filesOnly(findReads(args));
  const readsProfile = shells.has(program) && args.some(({ value }) => /^-[a-z]*l|^--login$/.test(value));
  return readOnlyStarters.has(program) && !readsProfile ? filesOnly(xargsFile(program, args)) : undefined;
}

/** `xargs -a file` reads its words from there. */
function xargsFile(program: string, args: readonly ShellWord[]): ShellWord[] | undefined {
  const readsFile = program === "xargs" && args.some(({ value }) => /^-[0rtx]*a|^--arg-file/.test(value));
  return readsFile ? undefined : [];
}

function readsOfListed(program: string, args: readonly ShellWord[]): Reads | undefined {
  const known = readOnlyPrograms.get(program);
  if (known === undefined) return undefined;
  const operands = known.options === undefined ? args : operandsOf(args, known.options);
  if (operands === undefined || operands.length > (known.maxOperands ?? Number.POSITIVE_INFINITY)) return undefined;
  if (known.maxOperands !== undefined && operands.some((word) => mayBecomeOption(word) || word.globAt !== undefined))
    return undefined;
  if (program === "sort" && operands.some(({ globAt }) => globAt !== undefined)) return undefined;
  if (program === "date" && !operands.every(({ value }) => value.startsWith("+"))) return undefined;
  if (program === "read" && !operands.every((word) => isKnown(word) && mayBeSet(word.value))) return undefined;
  // A pattern reads the names in a folder.
  if (known.words === "texts") return filesOnly(operands.filter(hasGlob));
  if (program === "jq" && args.some(({ value }) => /\b(?:import|include)\b/.test(value))) return undefined;
  return readsOf(operands, known.words === "mixed" ? 1 : 0);
}

const hasGlob = ({ globAt }: ShellWord) => globAt !== undefined;

/** The first `textOperands` words that are no options are texts; an option may carry the name of a file. */
function readsOf(words: readonly ShellWord[], textOperands: number): Reads {
  let texts = textOperands;
  const files: ShellWord[] = [];
  const maybe: ShellWord[] = [];
  for (const word of words) {
    if (isOption(word)) maybe.push(...attached(word));
    else if (texts > 0) {
      texts--;
      if (isKnown(word)) maybe.push(word);
    } else if (textOperands > 0 && isKnown(word)) maybe.push(word);
    else files.push(word);
  }
  return { files, maybe };
}

/** Of `--file=x`, `-fx`, `-rfx`: what may be a file. */
function attached(word: ShellWord): ShellWord[] {
  const { value } = word;
  if (value.includes(UNKNOWN)) return [{ ...word, value: UNKNOWN }];
  const equals = value.indexOf("=");
  const path = /[/~.].*$/s.exec(value)?.[0];
  return [...(equals === -1 ? [] : [value.slice(equals + 1)]), ...(path === undefined ? [] : [path])].map(literal);
}

type Judge = (args: readonly ShellWord[]) => Reads | undefined;

const specialPrograms: Readonly<Record<string, Judge>> = {
  grep: (args) => {
    const certain = args.filter(({ globAt }) => globAt !== 0);
    if (mayHave(certain, { short: "R", long: ["dereference-recursive"] }) && !isFed(args)) return undefined;
    return readsOf(args, hasPatternOption(args) ? 0 : 1);
  },
  rg: (args) => {
    const dangerous = { short: "zL", long: ["pre", "search-zip", "hostname-bin", "follow"] };
    if (mayHave(args, dangerous) && !isFed(args)) return undefined;
    return readsOf(args, hasPatternOption(args) || args.some(({ value }) => value === "--files") ? 0 : 1);
  },
  git: (args) => (isReadOnlyGit(args) ? readsOf(args, 1) : undefined),
  sed: (args) => filesOnly(sedReads(args)),
  awk: (args) => filesOnly(awkReads(args)),
  gawk: (args) => filesOnly(awkReads(args)),
  mawk: (args) => filesOnly(awkReads(args)),
  tar: (args) => {
    const [mode, archive, ...members] = args;
    const isListing = mode !== undefined && /^-?(?:tv?f|vtf|tfv?)$/.test(mode.value) && !mode.value.endsWith("fv");
    if (!isListing || archive === undefined || !/^[^:]*\.tar$/.test(archive.value)) return undefined;
    return members.some((word) => isOption(word) || mayBecomeOption(word)) ? undefined : filesOnly([archive]);
  },
  unzip: ([mode, archive, ...more]) => {
    const lists = mode?.value === "-l" && archive !== undefined && more.length === 0;
    return lists && !mayBecomeOption(archive) && archive.globAt === undefined ? filesOnly([archive]) : undefined;
  },
  test: (args) => testReads(args),
  "[": (args) => (args.at(-1)?.value === "]" ? testReads(args.slice(0, -1)) : undefined),
  printf: (args) => {
    const [format, ...values] = args;
    if (format === undefined || !isKnown(format) || isOption(format)) return undefined;
    const isText = !/%[^%]*?[diouxXeEfFgGaA*(n]/.test(format.value.replace(/%%|%[-0-9.]*[sbqc]/g, ""));
    return isText || values.every((word) => isKnown(word) && /^[-+\w.]*$/.test(word.value))
      ? filesOnly(values.filter(hasGlob))
      : undefined;
  },
  fd: (args) => fdReads(args),
  fdfind: (args) => fdReads(args),
  set: () => NOTHING,
  export: (args) => (args.every(({ value }) => mayBeSet(/^\w*/.exec(value)?.[0] ?? "")) ? NOTHING : undefined),
  docker: (args) => (/^(?:ps|images|logs|inspect)$/.test(args[0]?.value ?? "") ? NOTHING : undefined),
  // `e` without a dash, and `-E` elsewhere than on Linux, show the environment of every process, our keys among it.
  ps: (args) =>
    args.every((word) => isKnown(word) && /^(?:-[a-zA-DF-Z0-9]+|[a-df-zA-DF-Z0-9]+)$/.test(word.value))
      ? NOTHING
      : undefined,
  node: (args) => (args.length === 1 && args[0]?.value === "-v" ? NOTHING : undefined),
};

const filesOnly = (files: readonly ShellWord[] | undefined): Reads | undefined => files && { files, maybe: [] };

/** Whether the only open word is what `find` or `xargs` puts in: names of listed files. */
const isFed = (args: readonly ShellWord[]): boolean =>
  args.every((word) => isKnown(word) || word.isListed === true) &&
  !args.some(({ value }) => /^-[a-zA-Z]*[RzL]|^--(?:der|pre|sea|hos|fol)/.test(value));

const hasPatternOption = (args: readonly ShellWord[]) =>
  args.some(({ value }) => /^-[a-zA-Z]*[ef]|^--(?:r|f)/.test(value));

function fdReads(args: readonly ShellWord[]): Reads | undefined {
  const operands = operandsOf(args, {
    flags: "HIagsipFu0",
    values: "tdeEcSj",
    long: "hidden no-ignore type= extension= exclude= max-depth= glob fixed-strings absolute-path full-path print0",
  });
  return operands && readsOf(operands, 1);
}

/** A number in `test` is an expression to zsh, and what `-v` names may hold one to bash. */
function testReads(args: readonly ShellWord[]): Reads | undefined {
  const isOpen = args.some(({ value }, at) => {
    if (/^-[vR]$/.test(value)) return true;
    if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(value)) return false;
    return [args[at - 1], args[at + 1]].some((word) => word === undefined || !/^-?\d+$/.test(word.value));
  });
  return isOpen ? undefined : NOTHING;
}
