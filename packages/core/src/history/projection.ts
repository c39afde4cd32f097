import type { Message, Uuid } from "../messages/message.ts";
import { type Chain, findChain } from "./chain.ts";
import { joinGroups } from "./join.ts";
import type { JournalEntry } from "./journal.ts";
import { leafAfter } from "./leaf.ts";
import { Replay } from "./replay.ts";

/** What the model sees of a journal, and what was found on the way. */
type Projection = {
  messages: Message[];
  /** The line that the next one follows; null when the conversation is empty. */
  leaf: Uuid | null;
  /** Lines whose parent was never written: the line before them in the journal was taken for it. */
  gaps: readonly Uuid[];
};

/**
 * The messages that the model sees of a journal. Pure; the same entries give the same messages.
 *
 * The conversation is the branch that ends in the last line, or where the last rewind went. Blocks of one answer are joined,
 * and so are messages of the user's that follow each other: results first, in the order of their calls. Compactions and other
 * entries that change the projection take effect where they stand, unless a rewind took them back.
 */
export function project(entries: readonly JournalEntry[]): Message[] {
  return projectWithReport(entries).messages;
}

/** `project`, with where the conversation goes on and what had to be guessed. */
export function projectWithReport(entries: readonly JournalEntry[]): Projection {
  const chain = findChain(entries);
  return { messages: joinGroups(replay(entries, chain)), leaf: leafOf(chain), gaps: chain.gaps };
}

/** The lines of the chain in order, and between them what changes the projection, each where it was written. */
function replay(entries: readonly JournalEntry[], { lines, isVoid }: Chain) {
  const state = new Replay();
  let next = 0;
  const changeUpTo = (end: number) => {
    for (; next < end; next += 1) {
      const entry = entries[next];
      if (entry?.type === "projection" && !isVoid(next)) state.change(entry);
    }
  };
  for (const { index, entry } of lines) {
    changeUpTo(index);
    if (entry.type === "message") state.add(entry.message);
    else state.compact(entry);
  }
  changeUpTo(entries.length);
  return state.groups;
}

function leafOf({ lines }: Chain): Uuid | null {
  const last = lines.at(-1);
  return last === undefined ? null : leafAfter(null, last.entry);
}
