import type { Uuid } from "../messages/message.ts";
import type { JournalEntry } from "./journal.ts";

/** The last line of the chain once `entry` is written: the parent of the next. Where a rewind leads, the projection says. */
export function leafAfter(leaf: Uuid | null, entry: JournalEntry): Uuid | null {
  switch (entry.type) {
    case "message":
      return entry.message.uuid;
    case "compact_boundary":
      return entry.summary.uuid;
    case "projection":
      return entry.op === "clear" ? null : leaf;
    default:
      return leaf;
  }
}
