import { PawlError } from "../lib/error.ts";

/** What a patch does to one file. Paths as written. */
export type FilePatch =
  | { type: "add"; path: string; lines: string[] }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; moveTo?: string; hunks: Hunk[] };

/** One changed place. Without any old line the new ones go to `line`, after the headings, or to the end of the file. */
export type Hunk = {
  /** Lines that come before the place, from outer to inner, such as a class and its method. */
  headings: string[];
  lines: HunkLine[];
  /** Whether the last line of the hunk is the last of the file. */
  isAtEnd: boolean;
  /** Where it should be, counted from 1; only a hint. */
  line?: number;
};

type HunkLine = { type: "context" | "remove" | "add"; text: string };

export const patchError = (message: string) => new PawlError("file_patch", message);

const kinds: Readonly<Record<string, HunkLine["type"]>> = { " ": "context", "-": "remove", "+": "add" };

/** A line of a hunk; an empty one stands for an empty line of context, whose blank got lost. */
export function hunkLine(line: string): HunkLine | undefined {
  const type = line === "" ? "context" : kinds[line[0] ?? ""];
  return type && { type, text: line.slice(1) };
}

/** No empty line that the writer only left between two sections. */
export function withoutTrailingBlanks(lines: HunkLine[]): HunkLine[] {
  const last = lines.findLastIndex(({ type, text }) => type !== "context" || text !== "");
  return lines.slice(0, last + 1);
}
