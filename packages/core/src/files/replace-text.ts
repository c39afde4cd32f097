import { type FoldedText, foldText } from "./folded-text.ts";
import { lineEndingAt, originalOffsets, toLf } from "./line-endings.ts";

/** Beyond so many changed words the old and new text of one span are no longer compared with each other. */
const MAX_COMPARED_WORDS = 5_000;
/** A longer text is searched exactly only. UTF-16 units. */
const MAX_FOLDED_UNITS = 4_000_000;

/** Where a text occurs in another, line endings not told apart. */
export type TextMatches = {
  /** What was looked for, with LF. */
  wanted: string;
  /** Ascending places in the text, overlapping ones too: each could have been meant. */
  spans: readonly Span[];
  /** False when kinds of quotes, of blanks, or composed and decomposed letters had to be taken as the same. */
  isExact: boolean;
};

type Span = { from: number; to: number };

export function findMatches(text: string, oldString: string): TextMatches {
  const wanted = toLf(oldString);
  const starts = occurrences(toLf(text), wanted);
  if (starts.length > 0) return { wanted, spans: exactSpans(text, starts, wanted.length), isExact: true };
  return { wanted, spans: text.length > MAX_FOLDED_UNITS ? [] : foldedSpans(text, wanted), isExact: false };
}

function exactSpans(text: string, starts: readonly number[], length: number): Span[] {
  const ends = originalOffsets(
    text,
    starts.map((start) => start + length),
  );
  return originalOffsets(text, starts).map((from, index) => ({ from, to: ends[index] ?? text.length }));
}

const MARK = /^\p{M}/u;

/** Only whole characters: a letter does not match a part of one with an accent. */
function foldedSpans(text: string, wanted: string): Span[] {
  const folded = foldText(text);
  const view = foldText(wanted).text;
  return occurrences(folded.text, view).flatMap((start) => {
    const end = start + view.length;
    const [from = -1, to = -1] = [folded.offsets[start], folded.offsets[end]];
    return from === -1 || to === -1 || MARK.test(folded.text.slice(end, end + 2)) ? [] : [{ from, to }];
  });
}

/**
 * `text` with each match replaced, those that overlap an earlier one left alone. All outside the matches stays as it is;
 * new lines end as the line they come into. Inside a match, what `newString` leaves unchanged is taken from `text`.
 */
export async function replaceMatches(text: string, matches: TextMatches, newString: string): Promise<string> {
  const added = toLf(newString);
  let result = "";
  let done = 0;
  for (const span of matches.spans) {
    if (span.from < done) continue;
    result += text.slice(done, span.from) + (await replacement(text, span, matches.wanted, added));
    done = span.to;
  }
  return result + text.slice(done);
}

async function replacement(text: string, span: Span, wanted: string, added: string): Promise<string> {
  const ending = lineEndingAt(text, span.from);
  const isUniform = wanted.replaceAll("\n", ending) === text.slice(span.from, span.to);
  if (isUniform) return added.replaceAll("\n", ending);
  return (await mergedSpan(text, span, wanted, added)) ?? added.replaceAll("\n", ending);
}

/**
 * The span has endings or characters of its own: only what differs between the wanted and the added text is replaced.
 * Undefined when that cannot be told apart.
 */
async function mergedSpan(text: string, span: Span, wanted: string, added: string): Promise<string | undefined> {
  const { diffWordsWithSpace } = await import("diff");
  const parts = diffWordsWithSpace(wanted, added, { maxEditLength: MAX_COMPARED_WORDS });
  const old = text.slice(span.from, span.to);
  const ends = parts && alignedOffsets(foldText(wanted), foldText(old), endsInWanted(parts));
  if (parts === undefined || ends === undefined) return undefined;
  let merged = "";
  let start = 0;
  for (const [index, { value, added: isNew, removed: isGone }] of parts.entries()) {
    const end = ends[index] ?? old.length;
    if (isNew) merged += value.replaceAll("\n", lineEndingAt(text, span.from + start));
    else if (!isGone) merged += old.slice(start, end);
    start = end;
  }
  return merged;
}

/** Where places in one text lie in another that reads the same; undefined when one is inside a character there. */
function alignedOffsets(from: FoldedText, to: FoldedText, places: readonly number[]): number[] | undefined {
  const units = new Map(from.offsets.map((offset, unit) => [offset, unit]));
  const aligned = places.map((place) => to.offsets[units.get(place) ?? -1] ?? -1);
  return aligned.includes(-1) ? undefined : aligned;
}

/** For each part of a comparison, how far it has come in the wanted text. */
function endsInWanted(parts: readonly { value: string; added?: boolean }[]): number[] {
  let end = 0;
  return parts.map((part) => {
    if (!part.added) end += part.value.length;
    return end;
  });
}

function occurrences(text: string, wanted: string): number[] {
  const starts: number[] = [];
  if (wanted === "") return starts;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) starts.push(at);
  return starts;
}
