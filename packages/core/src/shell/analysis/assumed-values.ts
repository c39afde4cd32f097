import type { ParsedScript, Word } from "unbash";
import { type ShellWord, UNKNOWN } from "./shell-word.ts";

/**
 * What variables hold if every assignment read so far has been made. Whether it was is not known (`false && X=/`), so this
 * may show a danger, never excuse one.
 */
export type AssumedVariables = Map<string, ShellWord>;

const declarers: ReadonlySet<string> = new Set("export declare typeset local readonly".split(" "));

/** Takes note of what a command puts into variables that last. */
export function assume(
  variables: AssumedVariables,
  words: readonly ShellWord[],
  assignments: readonly { name: string; value: ShellWord }[],
): void {
  if (words.length === 0) for (const { name, value } of assignments) keep(variables, name, value.value);
  if (!declarers.has(words[0]?.value ?? "")) return;
  for (const { value } of words) {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(value) ?? [];
    if (name !== undefined && text !== undefined) keep(variables, name, text);
  }
}

function keep(variables: AssumedVariables, name: string, value: string): void {
  if (value.includes(UNKNOWN)) variables.delete(name);
  else variables.set(name, { value, source: value });
}

/** Commands that print the folder they run in, or one around it. */
const printHere = /^(?:\/bin\/)?pwd(?: -[LP])?$|^git rev-parse --show-(?:toplevel|cdup)$/;

/** What a substitution puts in its place, if it is one of the few that can be told; `read` reads a word. */
export function assumedOutput(
  script: ParsedScript | undefined,
  read: (word: Word) => readonly ShellWord[],
): string | undefined {
  const [statement, ...more] = script?.commands ?? [];
  const command = statement?.command;
  if (command?.type !== "Command" || more.length > 0 || command.redirects.length > 0) return undefined;
  const given = command.suffix.flatMap((part) => (part.type === "Word" ? read(part) : []));
  const texts = given.map(({ value }) => value);
  const program = command.name?.value ?? "";
  if (printHere.test([program, ...texts].join(" "))) return ".";
  if (program !== "echo" && program !== "printf") return undefined;
  return texts.some((text) => text.includes(UNKNOWN)) ? undefined : texts.join(" ");
}
