import { keptPer } from "../../lib/kept-per.ts";
import type { ShellWord } from "./shell-word.ts";

/** Where a command runs: a path as written, relative to where the command line starts (""), or undefined: nobody knows. */
export type WorkingDirectory = string | undefined;

export type AssignedVariable = { name: string; value: ShellWord };

export type Redirection = {
  /** `input` reads a file, `output` writes one, `text` is a here-document or here-string. */
  type: "input" | "output" | "text";
  /** The file, or the text. */
  word: ShellWord;
};

/** One program (or builtin) with its arguments, as some part of the command line may run it. */
export type SimpleCommand = {
  /** The program and its arguments; empty for assignments and redirections alone. */
  words: readonly ShellWord[];
  /** Only for this command. */
  assignments: readonly AssignedVariable[];
  redirections: readonly Redirection[];
  /** All the directories it may run in. */
  directories: readonly WorkingDirectory[];
  /**
   * What its standard input is: names of files, from a command such as `rg -l`, the same from `find`, which no name follows
   * that could be taken for an option, names of whatever lies below a folder, something else piped in, or nothing.
   */
  input: "none" | "piped" | "listed" | "found" | `below ${string}`;
  /** Commands that it starts, when it is one that starts commands. */
  starts: readonly SimpleCommand[];
  /** How it starts them. */
  wrapper?: Wrapper;
};

/**
 * - `transparent`: adds nothing to what it starts (`timeout 30`): rules look through it.
 * - `starter`: starts them, and rules that allow it speak of itself (`sh -c`, `env`).
 * - `executor`: like a starter, but no prefix of its text says what is started (`find -exec`, `flock`).
 */
export type Wrapper = "transparent" | "starter" | "executor";

/** What a command line may do. */
export type CommandAnalysis = {
  /** In the order of the text, each as often as it is written; those of substitutions and functions too. */
  commands: readonly SimpleCommand[];
  /** Why some of it can only be judged when it runs; empty: the commands are all there is. */
  doubts: readonly string[];
};

/** The commands with all that they start. */
export const withStarted = keptPer(unfolded);

function unfolded(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  if (commands.every(({ starts }) => starts.length === 0)) return commands;
  return commands.flatMap((command) => [command, ...unfolded(command.starts)]);
}

/** The name of the program without its folder; "" when there is none or it is not known. */
export function programOf({ words }: Pick<SimpleCommand, "words">): string {
  const name = words[0]?.value ?? "";
  return name.slice(name.lastIndexOf("/") + 1);
}

/** `program` under a name that the shell looks up, not a path: what a table says of `ls` it does not say of `./ls`. */
export function namedProgram(command: SimpleCommand): string | undefined {
  const name = command.words[0];
  if (name === undefined || name.globAt !== undefined) return undefined;
  return /^[\w.[:+-]+$/.test(name.value) || systemFolder.test(name.value) ? programOf(command) : undefined;
}

const systemFolder = /^(?:\/usr)?\/bin\/[\w.[+-]+$/;

export const argumentsOf = ({ words }: SimpleCommand): readonly ShellWord[] => words.slice(1);
