import { foldText } from "./folded-text.ts";
import { type Hunk, patchError } from "./patch.ts";

/** A line with its own ending; the last one of a text may have none. */
type Line = { text: string; ending: string; isNew?: true };

/**
 * `text` with the hunks applied, in their order. Lines of context stay as they are in the text, also where they only read the
 * same; new lines end as the ones around them; a last line without ending stays one. `path` is for errors.
 *
 * Throws PawlError `file_patch` when the old lines of a hunk are not found, or in more than one place.
 */
export function applyHunks(path: string, text: string, hunks: readonly Hunk[]): string {
  const lines = splitLines(text);
  const parts: Line[][] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = placeOf(hunk, lines, done, `${path}: change ${index + 1} of ${hunks.length}`);
    const changed = changedLines(hunk, lines, at);
    parts.push(lines.slice(done, at), changed.lines);
    done = changed.end;
  }
  return joinLines([...parts, lines.slice(done)].flat(), lines.at(-1)?.ending);
}

function splitLines(text: string): Line[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .map(([, line = "", ending = ""]) => ({ text: line, ending }))
    .filter(({ text: line, ending }) => line !== "" || ending !== "");
}

/** Only what was the last line without an ending gets one, where lines follow now; the new last line then has none. */
function joinLines(lines: readonly Line[], lastEnding = "\n"): string {
  return lines
    .map(({ text, ending, isNew }, index) => {
      if (index < lines.length - 1) return text + (ending || lines[index - 1]?.ending || "\n");
      return isNew && lastEnding === "" ? text : text + ending;
    })
    .join("");
}

/** What stands at `start` once the hunk is applied, and where the old lines that it stands for end. */
function changedLines(hunk: Hunk, lines: readonly Line[], start: number): { lines: Line[]; end: number } {
  const changed: Line[] = [];
  let end = start;
  for (const { type, text } of hunk.lines) {
    if (type === "add") {
      changed.push({ text, ending: endingNear(lines, end), isNew: true });
      continue;
    }
    const line = lines[end++];
    if (type === "context" && line !== undefined) changed.push(line);
  }
  return { lines: changed, end };
}

/** As the line that comes after ends, or the one before. */
const endingNear = (lines: readonly Line[], at: number) => lines[at]?.ending || lines[at - 1]?.ending || "\n";

/** The line at which the old lines of a hunk begin. */
function placeOf(hunk: Hunk, lines: readonly Line[], from: number, what: string): number {
  const start = afterHeadings(hunk.headings, lines, from, what);
  const old = hunk.lines.filter(({ type }) => type !== "add").map(({ text }) => text);
  if (old.length === 0) return placeWithoutOld(hunk, lines, start);
  for (const reads of [exactly, tolerantly]) {
    const places = placesOf(
      old.map(reads),
      lines.map(({ text }) => reads(text)),
      start,
    );
    const fitting = hunk.isAtEnd ? places.filter((at) => at + old.length === lines.length) : places;
    const hinted = fitting.find((at) => at + 1 === hunk.line);
    if (hinted !== undefined) return hinted;
    if (fitting.length > 1 && hunk.headings.length === 0) throw patchError(ambiguous(what, fitting));
    if (fitting[0] !== undefined) return fitting[0];
  }
  throw patchError(`${what} does not match the file. Read it again. These lines were looked for:\n${old.join("\n")}`);
}

/** Where a diff says, else right after the headings, else at the end. */
function placeWithoutOld({ line, headings }: Hunk, lines: readonly Line[], start: number): number {
  if (line !== undefined) return Math.max(start, Math.min(line - 1, lines.length));
  return headings.length > 0 ? start : lines.length;
}

const exactly = (line: string) => line;

/** Blanks at the end aside, and all that `foldText` takes as the same. */
const tolerantly = (line: string) => foldText(line).text.trimEnd();

/** By Knuth, Morris and Pratt: in a file that repeats one line very often every place would be compared to its end. */
function placesOf(old: readonly string[], lines: readonly string[], from: number): number[] {
  const borders = bordersOf(old);
  const places: number[] = [];
  let matched = 0;
  for (let at = from; at < lines.length; at++) {
    while (matched > 0 && lines[at] !== old[matched]) matched = borders[matched - 1] ?? 0;
    if (lines[at] === old[matched]) matched++;
    if (matched < old.length) continue;
    places.push(at + 1 - matched);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** For each length of a beginning of `old`, minus one: how much of its end is a beginning, too. */
function bordersOf(old: readonly string[]): number[] {
  const borders = [0];
  let matched = 0;
  for (let at = 1; at < old.length; at++) {
    while (matched > 0 && old[at] !== old[matched]) matched = borders[matched - 1] ?? 0;
    if (old[at] === old[matched]) matched++;
    borders.push(matched);
  }
  return borders;
}

/** Each heading is looked for after the one before it; the place begins after the last. */
function afterHeadings(headings: readonly string[], lines: readonly Line[], from: number, what: string): number {
  let start = from;
  for (const heading of headings) {
    const at = lines.findIndex(({ text }, index) => index >= start && text.trim() === heading);
    if (at === -1) throw patchError(`${what}: no line of the file reads "${heading}", as its @@ line says.`);
    start = at + 1;
  }
  return start;
}

const ambiguous = (what: string, places: readonly number[]) =>
  `${what} matches ${places.length} places, at lines ${places
    .slice(0, 5)
    .map((at) => at + 1)
    .join(", ")}. Add lines around it, or an @@ line with the function or class that it is in.`;
