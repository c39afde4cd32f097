import { plainCommand } from "../../shell/plain-command.ts";
import type { ShellResult } from "../../shell/shell.ts";
import type { ToolContext } from "../tool.ts";
import { absolutePath } from "./file-result.ts";

/** A longer file is not looked at again only to know it. Bytes. */
const MAX_KNOWN_BYTES = 1024 * 1024;

/** Options that take no word of their own. */
const flags = /^-(?:[a-zA-Z]+|\d+)$|^--[a-z-]+(?:=.*)?$/s;
/** Words before the file: of `head` and `tail` how much, of `sed -n` which lines, of a search its pattern. */
const wordsBefore: Readonly<Record<string, number>> = {
  ...{ cat: 0, nl: 0, bat: 0, batcat: 0, head: 0, tail: 0 },
  ...{ grep: 1, egrep: 1, fgrep: 1, rg: 1 },
};

/** The one file that a command shows or searches, if that is all it does: relative to where it runs, or absolute. */
export function fileShownBy(command: string): string | undefined {
  const [program = "", ...words] = plainCommand(command)?.words ?? [];
  const args = program === "head" || program === "tail" ? withoutCounts(words) : words;
  if (program === "sed")
    return args[0] === "-n" && /^\d+(?:,\d+)?p$/.test(args[1] ?? "") ? only(args.slice(2)) : undefined;
  const before = Object.hasOwn(wordsBefore, program) ? wordsBefore[program] : undefined;
  return before === undefined ? undefined : only(args.filter((word) => !flags.test(word)).slice(before));
}

const only = (files: readonly string[]): string | undefined =>
  files.length === 1 && files[0] !== "-" ? files[0] : undefined;

const withoutCounts = (words: readonly string[]): string[] =>
  words.filter((word, at) => !/^-[nc]$/.test(word) && !/^-[nc]$/.test(words[at - 1] ?? ""));

/** What a command that ended well has shown of a file counts as read: all of it where the text is the same, else a part. */
export async function noteShownFile(
  command: string,
  { exitCode, stdout, outputPath }: ShellResult,
  maxOutputChars: number,
  context: ToolContext,
): Promise<void> {
  const isShown = exitCode === 0 && outputPath === undefined && stdout.length <= maxOutputChars;
  const name = isShown ? fileShownBy(command) : undefined;
  if (name === undefined) return;
  try {
    const path = await context.files.realPath(absolutePath(name, context.cwd));
    const { text, hash, mtimeMs, size } = await context.files.readText(path, {
      signal: context.signal,
      maxBytes: MAX_KNOWN_BYTES,
    });
    const before = context.readState.get(path);
    if (before?.hash === hash) return;
    context.readState.set(path, { hash, mtimeMs, size, isWhole: text !== "" && text === stdout });
  } catch {
    // it is gone or no text: then it is not known, and Edit says so
  }
}
