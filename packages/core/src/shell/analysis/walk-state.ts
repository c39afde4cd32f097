import type { ParsedScript } from "unbash";
import { type AssignedVariables, nothingKnown } from "./assigned-variables.ts";
import type { AssumedVariables } from "./assumed-values.ts";
import type { Directories } from "./directories.ts";
import type { ShellWord } from "./shell-word.ts";
import type { SimpleCommand } from "./simple-command.ts";

/** More commands than this in one line, and the rest is not told apart. */
const MAX_COMMANDS = 2_000;
/** Parts of a command line that are read; the bodies of loops are read more than once. */
const MAX_STEPS = 20_000;
const TOO_MANY = "it has too many commands";

/** Where the shell may stand after a command that succeeded, and after one that failed. */
export type Flow = { success: Directories; failure: Directories };

/** After something that does not move the shell, or that has moved it however it ended. */
export const flowOf = (directories: Directories): Flow => ({ success: directories, failure: directories });

/** How things are where a part of the command line is read. */
export type State = {
  directories: Directories;
  input: SimpleCommand["input"];
  /** What loops have put into their variables. */
  variables: ReadonlyMap<string, ShellWord>;
  /** Scripts that lie around it. */
  depth: number;
  /** Where its commands go. */
  out: SimpleCommand[];
};

/** Reads scripts inside of what is being read. */
export type Walk = {
  findings: Findings;
  /** Only where danger is looked for. */
  assumed?: AssumedVariables;
  script(script: ParsedScript, state: State): Flow;
  text(text: string, state: State): Flow;
};

/** The parts of a command before it is known where it runs. */
export type WrittenCommand = Pick<SimpleCommand, "words" | "assignments" | "redirections">;

/** What is found on the way, and how much of it. */
export class Findings {
  readonly doubts = new Set<string>();
  /** Of the script that is being read. */
  variables: AssignedVariables = nothingKnown;
  #commands = 0;
  #steps = 0;

  doubt(reason: string): void {
    this.doubts.add(reason);
  }

  /** What cannot be read is taken to leave the shell where it was; the doubt stands for all else. */
  lost(reason: string, { directories }: State): Flow {
    this.doubt(reason);
    return flowOf(directories);
  }

  /** Whether one more part may be read. */
  takesStep(): boolean {
    if (++this.#steps > MAX_STEPS) this.doubt(TOO_MANY);
    return this.#steps <= MAX_STEPS;
  }

  /** Adds a command to those of `state`; undefined when there are too many. */
  add(command: WrittenCommand, { directories, input, out }: State): FoundCommand | undefined {
    if (++this.#commands > MAX_COMMANDS) {
      this.doubt(TOO_MANY);
      return undefined;
    }
    const found: FoundCommand = { ...command, directories, input, starts: [] };
    out.push(found);
    return found;
  }
}

/** A command to which what it starts is still to be added. */
export type FoundCommand = SimpleCommand & { starts: SimpleCommand[]; wrapper?: SimpleCommand["wrapper"] };
