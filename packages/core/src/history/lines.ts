import type { Uuid } from "../messages/message.ts";
import type { JournalEntry } from "./journal.ts";

/** The conversational part of a journal: its messages and compactions, in file order. Only these can be parents. */

type MessageLine = Extract<JournalEntry, { type: "message" }>;
export type Boundary = Extract<JournalEntry, { type: "compact_boundary" }>;

/** A line of the conversation. */
export type Line = {
  /** Its place among all entries of the journal. */
  index: number;
  entry: MessageLine | Boundary;
};

export type Lines = {
  all: readonly Line[];
  /** The place in `all` of the first line with this uuid; a compaction is found by its summary's too. */
  at: ReadonlyMap<Uuid, number>;
};

/** The main conversation; in the journal of a subagent, where all is aside, that. */
export function conversationLines(entries: readonly JournalEntry[]): Lines {
  const isOwn = entries.some((entry) => entry.type === "message" && !entry.isSidechain);
  const all: Line[] = [];
  const at = new Map<Uuid, number>();
  entries.forEach((entry, index) => {
    if (entry.type !== "compact_boundary" && (entry.type !== "message" || (isOwn && entry.isSidechain))) return;
    for (const uuid of uuidsOf(entry)) if (!at.has(uuid)) at.set(uuid, all.length);
    all.push({ index, entry });
  });
  return { all, at };
}

const uuidsOf = (entry: Line["entry"]): Uuid[] =>
  entry.type === "message" ? [entry.message.uuid] : [entry.uuid, entry.summary.uuid];

/** A line that repeats the uuid of an earlier one is not another place in the conversation. */
export function isFirstOfItsUuid({ all, at }: Lines, place: number): boolean {
  const line = all[place];
  return line !== undefined && uuidsOf(line.entry).some((uuid) => at.get(uuid) === place);
}

/** The place of the line that this one follows; null at a root, undefined when the one it names is not there. */
export function parentPlace({ at }: Lines, { entry }: Line): number | null | undefined {
  const parent = entry.type === "message" ? entry.parent : entry.logicalParent;
  return parent === null ? null : at.get(parent);
}
