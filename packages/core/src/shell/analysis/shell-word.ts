/** Stands in a value for text that is only known when the shell runs. No command line can hold it. */
export const UNKNOWN = "\0";

/** One word of a command as the program would get it, quotes and backslashes taken away. */
export type ShellWord = {
  /** `UNKNOWN` for each expansion; an unquoted `~/` or `$HOME/` at its beginning is `~/`, a quoted tilde `./~`. */
  value: string;
  /** As written. */
  source: string;
  /** Where in the value the first unquoted `*`, `?` or `[` stands. */
  globAt?: number;
  /** Where the first unquoted `^`, `#` or inner `~` stands: zsh may be told to read it as a pattern. */
  extendedAt?: number;
  /** May become several words, or none. */
  maySplit?: boolean;
  /** An unknown value that is the name of a file below the current directory that is no link. */
  isListed?: boolean;
  /** A listed name that surely begins with the folder it was looked for in: no option. */
  isPath?: boolean;
  /** An unknown value that is the name of something below this folder, or of the folder. */
  foundBelow?: string;
  /** A process substitution: a pipe, not a file. */
  isPipe?: boolean;
};

/** Whether the program gets exactly this one word. */
export const isKnown = ({ value, globAt, maySplit }: ShellWord): boolean =>
  globAt === undefined && maySplit !== true && !value.includes(UNKNOWN);

/** Whether the program gets it as one word, be that known or not. */
export const isOneWord = ({ globAt, maySplit }: ShellWord): boolean => globAt === undefined && maySplit !== true;

export const literal = (value: string): ShellWord => ({ value, source: value });

/** Whether the program might take it, or a part of it, for an option although it does not look like one. */
export const mayBecomeOption = ({ value, globAt, maySplit, isPipe }: ShellWord): boolean =>
  maySplit === true || globAt === 0 || (value.startsWith(UNKNOWN) && isPipe !== true);

/** An option as written: it begins with a dash, and is not the dash alone. */
export const isOption = ({ value }: ShellWord): boolean => value.length > 1 && value.startsWith("-");
