import { lineEndingAt, originalOffsets, toLf } from "./line-endings.ts";

/** Beyond so many changed words the old and new text of one span are no longer compared with each other. */
const MAX_COMPARED_WORDS = 5_000;

/** Where a text occurs in another, line endings not told apart. */
export type TextMatches = {
  /** What was looked for, with LF. */
  wanted: string;
  /** Ascending offsets into the LF form of the text, overlapping ones too: each is a place that could have been meant. */
  starts: readonly number[];
  /** False when typographic and straight quotes had to be taken as the same. */
  isExact: boolean;
};

export function findMatches(text: string, oldString: string): TextMatches {
  const view = toLf(text);
  const wanted = toLf(oldString);
  const exact = occurrences(view, wanted);
  if (exact.length > 0) return { wanted, starts: exact, isExact: true };
  return { wanted, starts: occurrences(withStraightQuotes(view), withStraightQuotes(wanted)), isExact: false };
}

/**
 * `text` with each match replaced, those that overlap an earlier one left alone. All outside the matches stays as it is;
 * new lines end as the line they come into. Inside a match, what `newString` leaves unchanged is taken from `text`.
 */
export async function replaceMatches(text: string, matches: TextMatches, newString: string): Promise<string> {
  const length = matches.wanted.length;
  const starts = withoutOverlaps(matches.starts, length);
  const offsets = originalOffsets(
    text,
    starts.flatMap((start) => [start, start + length]),
  );
  const wording = { wanted: matches.wanted, added: toLf(newString), isExact: matches.isExact };
  let result = "";
  let done = 0;
  for (let index = 0; index < offsets.length; index += 2) {
    const [from = 0, to = 0] = offsets.slice(index, index + 2);
    result += text.slice(done, from) + (await replacement(text, { from, to }, wording));
    done = to;
  }
  return result + text.slice(done);
}

type Span = { from: number; to: number };
type Wording = { wanted: string; added: string; isExact: boolean };

async function replacement(text: string, span: Span, wording: Wording): Promise<string> {
  const ending = lineEndingAt(text, span.from);
  const isUniform = wording.wanted.replaceAll("\n", ending) === text.slice(span.from, span.to);
  if (isUniform) return wording.added.replaceAll("\n", ending);
  return mergedSpan(text, span, wording);
}

/** The span holds endings or quotes of its own: only what differs between the wanted and the added text is replaced. */
async function mergedSpan(text: string, { from, to }: Span, { wanted, added }: Wording): Promise<string> {
  const { diffWordsWithSpace } = await import("diff");
  const parts = diffWordsWithSpace(wanted, added, { maxEditLength: MAX_COMPARED_WORDS });
  if (parts === undefined) return added.replaceAll("\n", lineEndingAt(text, from));
  const span = text.slice(from, to);
  const offsets = originalOffsets(span, endsInWanted(parts));
  let merged = "";
  let start = 0;
  for (const [index, { value, added: isNew, removed: isGone }] of parts.entries()) {
    const end = offsets[index] ?? span.length;
    if (isNew) merged += value.replaceAll("\n", lineEndingAt(text, from + start));
    else if (!isGone) merged += span.slice(start, end);
    start = end;
  }
  return merged;
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

function withoutOverlaps(starts: readonly number[], length: number): number[] {
  let free = 0;
  return starts.filter((start) => {
    if (start < free) return false;
    free = start + length;
    return true;
  });
}

/** Character for character, so that offsets stay. */
function withStraightQuotes(text: string): string {
  return text.replace(/[\u2018\u2019\u201A\u201B]/g, "'").replace(/[\u201C\u201D\u201E\u201F]/g, '"');
}
