import type { ToolResult } from "../tool.ts";
import type { FileLines, FoundLine } from "./grep-lines.ts";
import { quotedPath } from "./ripgrep.ts";

export type GrepMode = "content" | "files_with_matches" | "count";

/** One line of the result. It becomes text only when it is shown: there may be many more. */
export type Entry =
  | { type: "gap" }
  /** `mark` stands between the file's name and what was found in it. */
  | { type: "found"; name: string; mark: string; rest: string };

export type Shown = {
  mode: GrepMode;
  offset: number;
  /** 0 for all. */
  headLimit: number;
  /** A file's name as the result has it. */
  show(name: string): string;
  notes: readonly string[];
  incomplete: { timedOut?: true; countIsComplete?: false };
};

export const fileEntry = (name: string): Entry => ({ type: "found", name, mark: "", rest: "" });

/** `isNumbered`: lines begin with their number. `isParted`: a gap stands between files too, as between groups of context. */
export function lineEntries(
  files: readonly FileLines[],
  { isNumbered, isParted }: { isNumbered: boolean; isParted: boolean },
): Entry[] {
  return files.flatMap(({ name, lines }, index) => {
    const entries = lines.map((line) => (line === "gap" ? GAP : lineEntry(name, line, isNumbered)));
    return isParted && index > 0 ? [GAP, ...entries] : entries;
  });
}

const GAP: Entry = { type: "gap" };

function lineEntry(name: string, { rest, isRemark }: FoundLine, isNumbered: boolean): Entry {
  // After its number a matching line has a colon, a line of context a dash.
  const mark = isRemark ? ": " : isNumbered && /^\d+-/.test(rest) ? "-" : ":";
  return { type: "found", name, mark, rest };
}

export function grepAnswer(entries: readonly Entry[], shown: Shown): ToolResult {
  const { mode, offset, headLimit, show, notes, incomplete } = shown;
  const end = headLimit === 0 ? entries.length : offset + headLimit;
  const page = entries.slice(offset, end);
  const isCut = end < entries.length;
  const filenames = [...new Set(page.flatMap((entry) => (entry.type === "gap" ? [] : [show(entry.name)])))];
  const texts = page.map((entry) =>
    entry.type === "gap" ? "--" : `${quotedPath(show(entry.name))}${entry.mark}${entry.rest}`,
  );
  const matches = mode === "count" ? page.reduce((sum, entry) => sum + countOf(entry), 0) : 0;
  const more = isCut ? [`(${page.length} of ${entries.length} shown. For the next ones set offset to ${end}.)`] : [];
  const body =
    entries.length === 0
      ? [mode === "files_with_matches" ? "No files found" : "No matches found"]
      : bodyOf(mode, texts, filenames.length, matches);
  return {
    content: [...body, ...more, ...notes].join("\n"),
    structured: {
      mode,
      numFiles: filenames.length,
      filenames,
      ...(mode !== "files_with_matches" && { content: texts.join("\n") }),
      ...(mode === "content" && { numLines: page.length }),
      ...(mode === "count" && { numMatches: matches }),
      ...(isCut && { appliedLimit: headLimit }),
      ...(offset > 0 && { appliedOffset: offset }),
      ...incomplete,
    },
  };
}

const countOf = (entry: Entry): number => (entry.type === "gap" ? 0 : Number(entry.rest));

function bodyOf(mode: GrepMode, texts: readonly string[], fileCount: number, matches: number): readonly string[] {
  if (texts.length === 0) return ["No entries at this offset"];
  const files = `${fileCount} ${fileCount === 1 ? "file" : "files"}`;
  if (mode === "files_with_matches") return [`Found ${files}`, ...texts];
  if (mode === "count") return [...texts, "", `${matches} matching ${matches === 1 ? "line" : "lines"} in ${files}`];
  return texts;
}
