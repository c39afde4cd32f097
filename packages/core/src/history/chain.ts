import type { Uuid } from "../messages/message.ts";
import type { JournalEntry } from "./journal.ts";
import { conversationLines, isFirstOfItsUuid, type Line, type Lines, parentPlace } from "./lines.ts";
import { findRewinds, type Rewinds } from "./rewinds.ts";
import { withSiblings } from "./siblings.ts";

/** The lines of the branch that the conversation is on, oldest first, and how sure that is. */
export type Chain = {
  lines: readonly Line[];
  /** Lines whose parent was never written; the line before them in the file was taken. */
  gaps: readonly Uuid[];
  /** What a rewind took back: entries by their place in the journal. */
  isVoid: Rewinds["isVoid"];
};

/**
 * Follows the parents from the last line. A parent that is not there, or a cycle, is a gap: the line before it in the file is
 * taken, so that nothing reachable by order is lost. A file in which no parent is known has only its order.
 */
export function findChain(entries: readonly JournalEntry[]): Chain {
  const lines = conversationLines(entries);
  const rewinds = findRewinds(entries, lines);
  const { isVoid } = rewinds;
  if (!rewinds.isAny && !isLinked(lines)) return { lines: lines.all, gaps: [], isVoid };
  const leaf = rewinds.leaf === undefined ? lastPlace(lines) : rewinds.leaf;
  const { path, gaps } = walk(lines, leaf);
  return { lines: withSiblings(lines, path), gaps, isVoid };
}

const isLinked = (lines: Lines): boolean =>
  lines.all.some((line) => line.entry.type === "message" && typeof parentPlace(lines, line) === "number");

function lastPlace(lines: Lines): number | null {
  for (let place = lines.all.length - 1; place >= 0; place -= 1) if (isFirstOfItsUuid(lines, place)) return place;
  return null;
}

/** Places from the root to `leaf`. */
function walk(lines: Lines, leaf: number | null): { path: number[]; gaps: Uuid[] } {
  const path: number[] = [];
  const gaps: Uuid[] = [];
  const seen = new Set<number>();
  let place = leaf;
  while (place !== null) {
    const line = lines.all[place];
    if (line === undefined) break;
    path.push(place);
    seen.add(place);
    place = before(lines, line, place, seen, gaps);
  }
  return { path: path.reverse(), gaps: gaps.reverse() };
}

function before(lines: Lines, line: Line, place: number, seen: ReadonlySet<number>, gaps: Uuid[]): number | null {
  const { entry } = line;
  const parent = parentPlace(lines, line);
  const isBoundary = entry.type === "compact_boundary";
  // A compaction that kept nothing is all there is of what came before it.
  if (isBoundary && entry.kept.length === 0) return null;
  if (parent === null) return isBoundary ? unseenBefore(place, seen) : null;
  if (parent !== undefined && !seen.has(parent)) return parent;
  gaps.push(isBoundary ? entry.uuid : entry.message.uuid);
  return unseenBefore(place, seen);
}

function unseenBefore(place: number, seen: ReadonlySet<number>): number | null {
  for (let earlier = place - 1; earlier >= 0; earlier -= 1) if (!seen.has(earlier)) return earlier;
  return null;
}
