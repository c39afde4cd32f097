import { mayBeSet } from "../meaning.ts";
import { isKnown, isOption, type ShellWord } from "../shell-word.ts";
import { operandsOf } from "./options.ts";

const isDigits = (word: ShellWord | undefined): boolean => word !== undefined && /^-?\d+$/.test(word.value);

/** A number in `test` is an expression to zsh, and what `-v` names may hold one to bash. */
export function testsOnly(args: readonly ShellWord[]): boolean {
  return !args.some(({ value }, at) => {
    if (/^-[vR]$/.test(value)) return true;
    if (value === "-t") return at + 1 < args.length && !isDigits(args[at + 1]);
    if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(value)) return false;
    return ![args[at - 1], args[at + 1]].every(isDigits);
  });
}

/** Conversions other than of texts may set a variable (`%n`), and to zsh their arguments are expressions. */
export function printsOnly([format, ...values]: readonly ShellWord[]): boolean {
  if (format === undefined || !isKnown(format) || isOption(format)) return false;
  const isText = !/%[^%]*?[diouxXeEfFgGaA*(n]/.test(format.value.replace(/%%|%[-0-9.]*[sbqc]/g, ""));
  return isText || values.every((word) => isKnown(word) && /^[-+]?(?:\d[\d.]*|0x[\da-f]+)?$/i.test(word.value));
}

/** `-n` and `-t` take a number to bash; to zsh the word after them is the variable. */
export function setsHarmless(args: readonly ShellWord[]): boolean {
  const operands = operandsOf(args, { flags: "rs", values: "dnt" });
  const counts = args.filter((_, at) => /^-[rs]*[nt]$/.test(args[at - 1]?.value ?? ""));
  return (
    operands?.every((word) => isKnown(word) && mayBeSet(word.value)) === true &&
    counts.every(({ value }) => /^[\d.]+$/.test(value))
  );
}

/** What `exit`, `shift` and their like are given is an expression to zsh. */
export const leavesWithNumber = (args: readonly ShellWord[]): boolean =>
  args.every((word) => isDigits(word) || /^"?\$[?#]"?$/.test(word.source));
