import { inPathOrder } from "./search-order.ts";

/** What ripgrep prints of one file: its lines in order, a gap between groups of context. */
export type FileLines = { name: string; lines: (FoundLine | "gap")[] };

/** `rest` is what stands after the name: number, mark and text. Without a NUL before it, it is a remark about the file. */
export type FoundLine = { rest: string; isRemark: boolean };

/**
 * Reads the output of `--null --with-filename --no-heading`, which names each line's file again. Names begin with `./`, may
 * hold newlines, and end with NUL; a last line that was cut off is left out. Files come back in the order of their paths.
 */
export function parseLines(stdout: string): FileLines[] {
  const files = new Map<string, FileLines>();
  let latest: FileLines | undefined;
  let hasGap = false;
  for (let at = 0; at < stdout.length; ) {
    if (stdout.startsWith("--\n", at)) {
      hasGap = true;
      at += 3;
      continue;
    }
    const { name, rest, end, isRemark } = lineAt(stdout, at);
    if (end === -1) break;
    at = end + 1;
    const file = files.get(name) ?? { name, lines: [] };
    files.set(name, file);
    if (hasGap && file === latest) file.lines.push("gap");
    hasGap = false;
    file.lines.push({ rest, isRemark });
    latest = file;
  }
  return inPathOrder([...files.keys()]).flatMap((name) => files.get(name) ?? []);
}

type Line = { name: string; rest: string; end: number; isRemark: boolean };

function lineAt(stdout: string, at: number): Line {
  const newline = stdout.indexOf("\n", at);
  const remark = newline === -1 ? null : REMARK.exec(stdout.slice(at, newline));
  if (remark !== null) return { name: below(remark[1] ?? ""), rest: remark[2] ?? "", end: newline, isRemark: true };
  const nul = stdout.indexOf("\0", at);
  if (nul === -1) return { name: "", rest: "", end: -1, isRemark: false };
  const end = stdout.indexOf("\n", nul);
  return { name: below(stdout.slice(at, nul)), rest: withoutReturn(stdout.slice(nul + 1, end)), end, isRemark: false };
}

/** Of a line that ends as under Windows the ending alone is left out. */
const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

/** What ripgrep says of a file with a NUL in it, in the place of its lines. */
const REMARK = /^(\.\/[^\0]*): (binary file matches .*|WARNING: stopped searching .*)$/;

/** A name as ripgrep prints it, from the folder that is searched. */
export const below = (name: string): string => name.replace(/^\.\//, "");
