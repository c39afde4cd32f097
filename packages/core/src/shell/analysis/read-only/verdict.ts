import { isHarmlessAssignment, mayBeSet, shells } from "../meaning.ts";
import { isKnown, isOneWord, isOption, literal, mayBecomeOption, type ShellWord, UNKNOWN } from "../shell-word.ts";
import { argumentsOf, namedProgram, type SimpleCommand } from "../simple-command.ts";
import { tarLists, unpackerReads, unzipLists, zipinfoLists } from "./archives.ts";
import { binaryReads } from "./binaries.ts";
import { leavesWithNumber, printsOnly, setsHarmless, testsOnly } from "./builtins.ts";
import { isDiscarded } from "./discarded.ts";
import { findReads } from "./find.ts";
import { isReadOnlyGit } from "./git.ts";
import { leavesByLinks, listsBehindLinks, measuresBehindLinks } from "./links.ts";
import { mayHave, operandsOf } from "./options.ts";
import { listsProcesses } from "./processes.ts";
import { readOnlyPrograms, tellsVersion } from "./programs.ts";
import { awkReads, sedReads } from "./scripts.ts";
import { listsConnections, listsOpenFiles, listsSockets, showsNetwork } from "./sockets.ts";

/** What a command reads that changes nothing. Words relative to the directories that it may run in. */
type Reads = {
  /** Names of files, also such as are only known when it runs. */
  files: readonly ShellWord[];
  /** Words that name files only if those are there. */
  maybe: readonly ShellWord[];
  /** Those of the files whose beginning decides whether another program is started: a compressed one is unpacked. */
  archives?: readonly ShellWord[];
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
  if (args.length === 1 && first !== undefined && tellsVersion(program, first.value)) return NOTHING;
  return special === undefined ? readsOfListed(program, args) : special(args);
}

const areHarmless = ({ assignments }: SimpleCommand, program: string) =>
  assignments.every(
    (each) => isHarmlessAssignment(each) || (program === "read" && each.name === "IFS" && isKnown(each.value)),
  );

/** They add nothing of their own to what they start. */
const readOnlyStarters: ReadonlySet<string> = new Set(
  "timeout time nice nohup stdbuf command builtin noglob env xargs sh bash dash eval".split(" "),
);

function readsOfStarter(program: string, args: readonly ShellWord[]): Reads | undefined {
  if (program === "find") return filesOnly(findReads(args));
  const readsProfile = shells.has(program) && args.some(({ value }) => /^-[a-z]*l|^--login$/.test(value));
  if (program === "env" && takesAway(args)) return undefined;
  return readOnlyStarters.has(program) && !readsProfile ? filesOnly(xargsFile(program, args)) : undefined;
}

/** Whether `env` drops variables by which git, among others, only looks: it would write its index. */
function takesAway(args: readonly ShellWord[]): boolean {
  const end = args.findIndex(
    ({ value }, at) => !value.startsWith("-") && !/^-[0v]*u$|^--unset$/.test(args[at - 1]?.value ?? ""),
  );
  const options = end === -1 ? args : args.slice(0, end);
  return options.some(({ value }) => /^-[0v]*i|^-$|^--i|GIT_/.test(value));
}

/** `xargs -a file` reads its words from there. */
function xargsFile(program: string, args: readonly ShellWord[]): ShellWord[] | undefined {
  const readsFile = program === "xargs" && args.some(({ value }) => /^-[0rtpxo]*a|^--arg-file/.test(value));
  return readsFile ? undefined : [];
}

function readsOfListed(program: string, args: readonly ShellWord[]): Reads | undefined {
  const known = readOnlyPrograms.get(program);
  if (known === undefined) return undefined;
  // What `find` puts in begins with the folder, and what a pattern matches is looked at: neither is an option.
  if (
    known.never !== undefined &&
    mayHave(
      args.filter(({ isPath, globAt }) => isPath !== true && globAt !== 0),
      known.never,
    )
  )
    return undefined;
  const operands = known.options === undefined ? args : operandsOf(args, known.options);
  if (operands === undefined || operands.length > (known.maxOperands ?? Number.POSITIVE_INFINITY)) return undefined;
  if (known.maxOperands !== undefined && operands.some((word) => mayBecomeOption(word) || word.globAt !== undefined))
    return undefined;
  if (program === "sort" && operands.some(({ globAt }) => globAt !== undefined)) return undefined;
  if (program === "date" && !operands.every(({ value }) => value.startsWith("+"))) return undefined;
  // A pattern reads the names in a folder.
  if (known.words === "texts") return filesOnly(operands.filter(hasGlob).map(patternIn));
  return readsOf(operands, 0);
}

/** `-r` shows the time of a file; elsewhere than on Linux it takes a number. */
function dateReads(args: readonly ShellWord[]): Reads | undefined {
  const at = args.findIndex(({ value }) => /^(?:-r|--reference)$/.test(value));
  const file = args[at + 1];
  if (at === -1) return readsOfListed("date", args);
  if (file === undefined || !isOneWord(file) || mayBecomeOption(file)) return undefined;
  return readsOfListed("date", args.toSpliced(at, 2)) && filesOnly([file]);
}

/** Of a text in quotes in which a loop's pattern stands (`"$f: $(wc -l < "$f")"`): what stands before the unknown. */
function patternIn(word: ShellWord): ShellWord {
  const { value, source, globAt = 0, maySplit } = word;
  const isText = /^"[^*?[]*"$/.test(source) && maySplit !== true;
  return isText && globAt < value.indexOf(UNKNOWN) ? { ...word, value: value.slice(0, value.indexOf(UNKNOWN)) } : word;
}

const hasGlob = ({ globAt }: ShellWord) => globAt !== undefined;

/** Programs in files and modules read further files; so may one of which the beginning is not known. */
function jqReads(args: readonly ShellWord[]): Reads | undefined {
  const certain = args.filter(({ globAt }) => globAt !== 0);
  if (mayHave(certain, { short: "f", long: ["from-file"] })) return undefined;
  const isOpen = args.some(
    ({ value }) =>
      /\b(?:import|include|modulemeta)\b/.test(value) || (value.includes(UNKNOWN) && !/^[.[{("]/.test(value)),
  );
  return isOpen ? undefined : readsOf(args, 1);
}

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
      else if (!isOneWord(word)) files.push(word); // the first of several words is a text
    } else if (textOperands > 0 && isKnown(word)) maybe.push(word);
    else files.push(word);
  }
  return { files, maybe };
}

/** Longer clusters of options are not looked through. Letters. */
const MAX_ATTACHED = 40;

/** Of `--file=x`, `-fx`, `-rfx`: what may be a file. */
function attached(word: ShellWord): ShellWord[] {
  const { value } = word;
  if (isNamePattern(word)) return [];
  if (!isKnown(word)) return [{ ...word, value: UNKNOWN }];
  const equals = value.indexOf("=");
  const path = /[/~.].*$/s.exec(value)?.[0];
  const texts = value.startsWith("--") ? [] : Array.from(value.slice(2), (_, at) => value.slice(2 + at));
  if (equals !== -1) texts.push(value.slice(equals + 1));
  if (path !== undefined) texts.push(path);
  return texts.slice(0, MAX_ATTACHED).map(literal);
}

/**
 * A pattern of names for a search, be it quoted or not (`--include=*.ts`): what the shell may put in its place begins with the
 * same option.
 */
const isNamePattern = ({ value, maySplit, globAt = 0 }: ShellWord): boolean => {
  const option = /^--(?:include|exclude|exclude-dir|i?glob)=/.exec(value)?.[0];
  return option !== undefined && globAt >= option.length && maySplit !== true && !value.includes(UNKNOWN);
};

type Judge = (args: readonly ShellWord[]) => Reads | undefined;

/** The same judgement of several programs. */
const forEach = (
  names: string,
  judge: (args: readonly ShellWord[], name: string) => Reads | undefined,
): Record<string, Judge> =>
  Object.fromEntries(names.split(" ").map((name): [string, Judge] => [name, (args) => judge(args, name)]));

const specialPrograms: Readonly<Record<string, Judge>> = {
  grep: (args) => {
    const certain = args.filter(({ globAt }) => globAt !== 0);
    const dangerous = { short: "RS", long: ["dereference-recursive"] };
    if (mayHave(certain, dangerous) && !isFed(args, leavesByLinks.grep)) return undefined;
    return readsOf(args, hasPatternOption(args) ? 0 : 1);
  },
  rg: (args) => {
    const dangerous = { short: "zL", long: ["pre", "search-zip", "hostname-bin", "follow"] };
    if (mayHave(args, dangerous) && !isFed(args, leavesByLinks.rg)) return undefined;
    return readsOf(args, hasPatternOption(args) || args.some(({ value }) => value === "--files") ? 0 : 1);
  },
  git: (args) => (isReadOnlyGit(args) ? readsOf(args, 1) : undefined),
  sed: (args) => filesOnly(sedReads(args)),
  awk: (args) => filesOnly(awkReads(args)),
  gawk: (args) => filesOnly(awkReads(args)),
  mawk: (args) => filesOnly(awkReads(args)),
  tar: (args) => {
    const archive = tarLists(args);
    return archive && { files: [archive], maybe: [], archives: [archive] };
  },
  unzip: (args) => filesOnly(unzipLists(args)),
  zipinfo: (args) => filesOnly(zipinfoLists(args)),
  ...forEach("zcat bzcat xzcat gzip gunzip bzip2 bunzip2 xz unxz", (args, name) =>
    filesOnly(unpackerReads(name, args)),
  ),
  test: (args) => (testsOnly(args) ? NOTHING : undefined),
  "[": (args) => (args.at(-1)?.value === "]" && testsOnly(args.slice(0, -1)) ? NOTHING : undefined),
  printf: (args) => (printsOnly(args) ? filesOnly(args.filter(hasGlob)) : undefined),
  read: (args) => (setsHarmless(args) ? NOTHING : undefined),
  jq: (args) => jqReads(args),
  // `@file` is a file with more arguments.
  strings: (args) =>
    args.some(({ value, globAt }) => globAt === 0 || /^[@\0]/.test(value)) ? undefined : readsOf(args, 0),
  date: (args) => dateReads(args),
  ls: (args) => (listsBehindLinks(args) ? undefined : readsOfListed("ls", args)),
  du: (args) => (measuresBehindLinks(args) ? undefined : readsOfListed("du", args)),
  // Every letter of a cluster takes a word of its own: in `-Lo 2 x` the `x` is the file that `-o` writes.
  tree: (args) =>
    args.some(({ value }) => /^-[a-zA-Z]*[LIP]./.test(value) && !/^-L\d+$/.test(value))
      ? undefined
      : readsOfListed("tree", args),
  fd: (args) => fdReads(args),
  fdfind: (args) => fdReads(args),
  ...forEach("exit return break continue shift", (args) => (leavesWithNumber(args) ? NOTHING : undefined)),
  set: () => NOTHING,
  // To some shells what an unquoted variable holds is several words, each a variable of its own.
  export: (args) =>
    wordsOf(args) === "-p" || args.every((word) => isOneWord(word) && mayBeSet(/^\w*/.exec(word.value)?.[0] ?? ""))
      ? NOTHING
      : undefined,
  docker: (args) => (/^(?:ps|images|logs|inspect)$/.test(args[0]?.value ?? "") ? NOTHING : undefined),
  ps: (args) => (listsProcesses(args) ? NOTHING : undefined),
  ss: (args) => (listsSockets(args) ? NOTHING : undefined),
  netstat: (args) => (listsConnections(args) ? NOTHING : undefined),
  lsof: (args) => (listsOpenFiles(args) ? NOTHING : undefined),
  ip: (args) => (showsNetwork(args) ? NOTHING : undefined),
  ifconfig: (args) => (args.every(({ value }) => value === "-a") ? NOTHING : undefined),
  stty: (args) => (args.length === 1 && args[0]?.value === "-a" ? NOTHING : undefined),
  tput: (args) => (/^(?:cols|lines|colors)$/.test(wordsOf(args)) ? NOTHING : undefined),
  getent: (args) => (/^(?:passwd|group|services|protocols)(?: [\w.-]+)?$/.test(wordsOf(args)) ? NOTHING : undefined),
  tee: (args) => (args.every(({ value }) => value === "-a" || isDiscarded(value)) ? NOTHING : undefined),
  ...forEach("alias hash history declare typeset ulimit", () => NOTHING), // what does more leaves a doubt
  ...forEach("egrep fgrep", (args) => specialPrograms["grep"]?.(args)), // they are scripts of grep's
  ...forEach("nm objdump readelf size", (args, name) => filesOnly(binaryReads(name, args))),
};

/** Words that are all known, as one text. */
const wordsOf = (args: readonly ShellWord[]): string =>
  args.every(isKnown) ? args.map(({ value }) => value).join(" ") : "?";

const filesOnly = (files: readonly ShellWord[] | undefined): Reads | undefined => files && { files, maybe: [] };

/** Whether the only open word is what `find` puts in, itself or by `xargs`: names of listed files, which are no options. */
const isFed = (args: readonly ShellWord[], dangerous: RegExp): boolean =>
  args.every((word) => isKnown(word) || word.isPath === true) && !args.some(({ value }) => dangerous.test(value));

/** Then no operand is a pattern. Digits and dots stand in clusters too (`-5e`, `-.e`). */
const hasPatternOption = (args: readonly ShellWord[]) => args.some(({ value }) => /^-[^-]*[ef]|^--(?:r|f)/.test(value));

function fdReads(args: readonly ShellWord[]): Reads | undefined {
  const operands = operandsOf(args, {
    flags: "HIagsipFu0",
    values: "tdeEcSj",
    long: "hidden no-ignore type= extension= exclude= max-depth= glob fixed-strings absolute-path full-path print0",
  });
  return operands && readsOf(operands, 1);
}
