import { keptPer } from "../lib/kept-per.ts";
import { isDiscarded } from "../shell/analysis/read-only/discarded.ts";
import { readsOnly } from "../shell/analysis/read-only/verdict.ts";
import { isOption, literal, type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import {
  argumentsOf,
  type CommandAnalysis,
  programOf,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";
import type { Presence } from "./command-options.ts";
import { type CommandPath, pathsOf } from "./command-path.ts";

const readers: ReadonlySet<string> = new Set(
  (
    "cat tac head tail less more bat batcat nl wc sed awk gawk mawk perl grep egrep fgrep rg ag cut sort uniq paste join comm " +
    "diff cmp od xxd hexdump strings base64 base32 jq yq dd cp mv ln install scp rsync tar zip gzip curl tee split fold rev " +
    "md5sum sha1sum sha256sum file vim vi nano code open source ."
  ).split(" "),
);
const writers: ReadonlySet<string> = new Set(
  "tee cp mv rm rmdir mkdir touch ln install truncate dd chmod chown chgrp rsync unlink shred patch split rename".split(
    " ",
  ),
);
const editors: ReadonlySet<string> = new Set("sed perl yq sort uniq curl wget tar unzip git xxd find tree".split(" "));
/** Options of the programs above that make them write: in place, or to the file that follows. */
const writingOption =
  /^-[a-zA-Z]*[ioOCdf]|^--(?:in-place|output|directory|download|o)|^-fprint|^-fls|^(?:checkout|restore|clean|rm|mv)$/;

/** They tell of a file that it is there, at most, or take their words for texts. */
const neverReading: ReadonlySet<string> = new Set(
  (
    "ls stat du df readlink realpath tree fd fdfind find test [ cd pushd popd echo printf true false : pwd basename dirname seq " +
    "sleep expr which type command builtin export read set exit return kill mkdir rmdir rm touch chmod chown chgrp mktemp id"
  ).split(" "),
);

/**
 * Files that a command line's programs and redirections would read: more than they really read, rather than less. What a
 * program does that is not known here nobody can tell; a file that is named to it is taken to be read.
 */
export const filesRead = keptPer(({ commands }: CommandAnalysis): readonly CommandPath[] =>
  withStarted(commands).flatMap((command) => [...redirected("input", command), ...readBy(command)]),
);

function readBy(command: SimpleCommand): CommandPath[] {
  const program = programOf(command);
  if (readers.has(program)) return operandPaths(command);
  if (neverReading.has(program) || command.starts.length > 0) return [];
  const reads = program === "git" ? undefined : readsOnly(command);
  if (reads === undefined) return operandPaths(command).filter((path) => path?.isGlob === false);
  return reads.files.flatMap((word) => pathsOf(word, command.directories));
}

/** Files that they would change. */
export const filesWritten = keptPer(({ commands }: CommandAnalysis): readonly CommandPath[] =>
  withStarted(commands).flatMap((command) => [
    ...redirected("output", command),
    ...(writers.has(programOf(command)) || editsInPlace(command) ? operandPaths(command) : []),
  ]),
);

/** Both: what must not be read must not be overwritten either. */
export const filesTouched = keptPer((analysis: CommandAnalysis): readonly CommandPath[] => [
  ...filesRead(analysis),
  ...filesWritten(analysis),
]);

/** Their first operand is a text. */
const textFirst: ReadonlySet<string> = new Set("grep egrep fgrep rg ag sed awk gawk mawk perl jq yq".split(" "));

/** Whether a command line reads, or changes, any files at all. */
export function touchesFiles(rule: "Read" | "Edit", analysis: CommandAnalysis): Presence {
  const { commands, doubts } = analysis;
  const all = withStarted(commands);
  const isSure = rule === "Read" ? surelyReads : surelyWrites;
  if (all.some(isSure)) return "yes";
  const files = rule === "Read" ? filesRead : filesWritten;
  const isOpen = doubts.length > 0 || files(analysis).some((file) => file?.path !== "/dev/null");
  return isOpen ? "maybe" : "no";
}

function surelyReads(command: SimpleCommand): boolean {
  if (namesFile(redirected("input", command))) return true;
  const texts = textFirst.has(programOf(command)) ? 1 : 0;
  const operands = argumentsOf(command).filter((word) => !isOption(word));
  return readers.has(programOf(command)) && operands.length > texts;
}

const surelyWrites = (command: SimpleCommand): boolean =>
  namesFile(redirected("output", command)) || (writers.has(programOf(command)) && namesFile(operandPaths(command)));

const namesFile = (paths: readonly CommandPath[]): boolean =>
  paths.some((path) => path !== undefined && !isDiscarded(path.path));

/** Files that its redirections read, or write. */
export function redirected(wanted: "input" | "output", { redirections, directories }: SimpleCommand): CommandPath[] {
  return redirections.flatMap(({ type, word }) => (type === wanted ? pathsOf(word, directories) : []));
}

const editsInPlace = (command: SimpleCommand): boolean =>
  editors.has(programOf(command)) && argumentsOf(command).some(({ value }) => writingOption.test(value));

const operandPaths = (command: SimpleCommand): CommandPath[] =>
  argumentsOf(command).flatMap((word) => wordsIn(word).flatMap((each) => pathsOf(each, command.directories)));

/** `file`, `--option=file`, `-ofile`, `if=file`, `@file`, `commit:file`. */
function wordsIn(word: ShellWord): ShellWord[] {
  const { value } = word;
  if (value.includes(UNKNOWN)) return [word];
  const attached = [
    /=@?(.+)$/s.exec(value)?.[1],
    /^-[a-zA-Z]([^=]+)$/.exec(value)?.[1],
    /^@(.+)$/s.exec(value)?.[1],
    /^[^:]*:(?:\/\/)?(.+)$/s.exec(value)?.[1],
  ];
  return [
    ...(isOption(word) ? [] : [word]),
    ...attached.flatMap((each) => (each === undefined ? [] : [literal(each)])),
  ];
}
