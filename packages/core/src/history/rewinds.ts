import type { JournalEntry } from "./journal.ts";
import { type Line, type Lines, parentPlace } from "./lines.ts";

/**
 * What the rewinds of the conversation took back.
 *
 * A rewind to a prompt goes back to before it, so that it can be asked anew; to any other message, to after it. A rewind with
 * `undoOf` takes the last one back and goes on after the message it names. What was written in between is void.
 */
export type Rewinds = {
  /** Where the conversation stands when nothing was written since the last rewind: a place, or null at its very start. */
  leaf: number | null | undefined;
  /** Whether there was any. */
  isAny: boolean;
  isVoid(index: number): boolean;
};

type Rewind = Extract<JournalEntry, { type: "rewind" }>;
/** Entries from `from` to `to`, by their place in the journal. */
type Span = { from: number; to: number };

export function findRewinds(entries: readonly JournalEntry[], lines: Lines): Rewinds {
  const standing: Span[] = [];
  const undone: Span[] = [];
  let leaf: number | null | undefined;
  let last = -1;
  entries.forEach((entry, index) => {
    const target = entry.type === "rewind" && entry.scope !== "files" ? lines.at.get(entry.to) : undefined;
    const line = target === undefined ? undefined : lines.all[target];
    if (entry.type !== "rewind" || target === undefined || line === undefined) return;
    const taken = entry.undoOf === undefined ? undefined : standing.pop();
    if (taken !== undefined) undone.push({ from: taken.to, to: index });
    else standing.push({ from: line.index, to: index });
    leaf = leafAfter(entry, line, target, lines);
    last = index;
  });
  const isOver = (lines.all.at(-1)?.index ?? -1) > last;
  const spans = [...standing, ...undone];
  return {
    leaf: isOver ? undefined : leaf,
    isAny: last >= 0,
    isVoid: (index) => spans.some(({ from, to }) => from <= index && index <= to),
  };
}

function leafAfter(rewind: Rewind, line: Line, target: number, lines: Lines): number | null {
  if (rewind.undoOf !== undefined || !isPrompt(line)) return target;
  const parent = parentPlace(lines, line);
  return parent === undefined ? target - 1 : parent;
}

const isPrompt = ({ entry }: Line): boolean =>
  entry.type === "message" &&
  entry.message.role === "user" &&
  !entry.message.content.some(({ type }) => type === "tool_result");
