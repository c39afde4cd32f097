import { reservedWords } from "../plain-command.ts";

/** A longer line is not what people type; the parser has a bound of its own. Characters. */
const MAX_CHARS = 4_096;

/** Characters that no shell reads anything into; `=` only in an option, where it sets no variable. */
const BARE = /^(?:-[\w@+:,./=-]*|[\w@+:,./-]+)$/;

/**
 * The words of a command line that is nothing but words and single spaces, as most are: it means the same with and without a
 * grammar, and the parser need not be loaded for it. Undefined for every other one.
 */
export function bareWords(line: string): string[] | undefined {
  if (line.length > MAX_CHARS) return undefined;
  const words = line.split(" ");
  return words.every((word) => BARE.test(word)) && !reservedWords.has(words[0] ?? "") ? words : undefined;
}
