import { isKnown, isOneWord, isOption, mayBecomeOption, type ShellWord, UNKNOWN } from "../shell-word.ts";

/** The options with which a program is known to change nothing. */
export type AllowedOptions = {
  /** Letters of options without and with a value. */
  flags?: string;
  values?: string;
  /** Long options, or single-dash words; those with a value end in `=`, those that may have one attached in `=?`. */
  long?: string;
  /** A pattern that begins a word stands for operands: whoever looks at the names it matches knows that none is an option. */
  takesPatterns?: true;
};

/** The words that are no options and no values of theirs; undefined when an option is not among the allowed ones. */
export function operandsOf(args: readonly ShellWord[], allowed: AllowedOptions): ShellWord[] | undefined {
  const long = new Set((allowed.long ?? "").split(" "));
  const operands: ShellWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    if (word.value === "--" && isKnown(word)) return [...operands, ...args.slice(at + 1)];
    const isPattern = allowed.takesPatterns === true && isPlainPattern(word);
    if (mayBecomeOption(word) && !isPattern) return undefined;
    if (!isOption(word)) {
      operands.push(word);
      continue;
    }
    const taken = long.has(word.value) ? 0 : takenBy(word.value, allowed, long);
    if (taken === undefined || at + taken >= args.length) return undefined;
    if (!args.slice(at + 1, at + 1 + taken).every(isOneWord)) return undefined; // the words after it would be more options
    at += taken;
  }
  return operands;
}

const isPlainPattern = ({ value, globAt, maySplit }: ShellWord): boolean =>
  globAt === 0 && maySplit !== true && !value.includes(UNKNOWN);

/** How many words after an option are its value. */
function takenBy(
  option: string,
  { flags = "", values = "" }: AllowedOptions,
  long: ReadonlySet<string>,
): number | undefined {
  if (option.startsWith("--")) {
    const equals = option.indexOf("=");
    if (equals !== -1) {
      const name = option.slice(2, equals);
      return long.has(`${name}=`) || long.has(`${name}=?`) ? 0 : undefined;
    }
    const name = option.slice(2);
    if (long.has(name) || long.has(`${name}=?`)) return 0;
    return long.has(`${name}=`) ? 1 : undefined;
  }
  for (let at = 1; at < option.length; at++) {
    const letter = option.charAt(at);
    if (values.includes(letter)) return at === option.length - 1 ? 1 : 0;
    if (!flags.includes(letter)) return undefined;
  }
  return 0;
}

/**
 * Whether one of the words may be, or be cut short to, an option that makes the program write or start something. Long
 * options may be abbreviated.
 */
export function mayHave(args: readonly ShellWord[], dangerous: { short?: string; long?: readonly string[] }): boolean {
  const end = args.findIndex((word) => word.value === "--" && isKnown(word));
  return (end === -1 ? args : args.slice(0, end)).some((word) => {
    const { value } = word;
    // Of an option that is only known when it runs at least the name must be written out.
    if (mayBecomeOption(word) || (isOption(word) && !isKnown(word) && !/^--[\w-]+=/.test(value))) return true;
    if (value.startsWith("--")) {
      const name = /^--([^=]*)/.exec(value)?.[1] ?? "";
      return name.length > 0 && (dangerous.long ?? []).some((long) => long.startsWith(name) || name.startsWith(long));
    }
    return isOption(word) && Array.from(dangerous.short ?? "").some((letter) => value.includes(letter));
  });
}
