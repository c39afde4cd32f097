import type { JournalEntry } from "../history/journal.ts";
import type { Uuid } from "../messages/message.ts";
import { type Line, messageLine } from "./message-line.ts";
import { optional } from "./record.ts";
import { sideRecord } from "./side-record.ts";

/** A journal entry as lines of the public transcript form; what that form has no word for, as side records. */

/** What stands on every line of a session. */
export type Envelope = {
  sessionId: string;
  cwd: string;
  version: string;
  entrypoint: string;
  /** ISO 8601, milliseconds, UTC. */
  timestamp: string;
};

export function toLines(entry: JournalEntry, envelope: Envelope): Line[] {
  switch (entry.type) {
    case "message":
      return [chainLine(messageLine(entry.message), entry.parent, envelope, entry.isSidechain)];
    case "compact_boundary":
      return [
        boundaryLine(entry, envelope),
        chainLine(messageLine({ ...entry.summary, isCompactSummary: true }), entry.uuid, envelope, false),
      ];
    default:
      return [sideRecord(entry, envelope.sessionId, envelope.timestamp)];
  }
}

function chainLine(message: Line, parent: Uuid | null, envelope: Envelope, isSidechain: boolean): Line {
  const { type, uuid, ...own } = message;
  return { type, uuid, parentUuid: parent, ...envelopeFields(envelope, isSidechain), ...own };
}

function boundaryLine(entry: Extract<JournalEntry, { type: "compact_boundary" }>, envelope: Envelope): Line {
  const [headUuid] = entry.kept;
  const preserved = headUuid && { headUuid, anchorUuid: entry.summary.uuid, tailUuid: entry.kept.at(-1) };
  return {
    type: "system",
    subtype: "compact_boundary",
    uuid: entry.uuid,
    parentUuid: null,
    logicalParentUuid: entry.logicalParent,
    ...envelopeFields(envelope, false),
    content: "Conversation compacted",
    level: "info",
    compactMetadata: {
      trigger: entry.trigger,
      preTokens: entry.preTokens,
      ...optional("preservedSegment", preserved),
      keptUuids: entry.kept,
    },
  };
}

function envelopeFields(envelope: Envelope, isSidechain: boolean) {
  const { sessionId, timestamp, cwd, version, entrypoint } = envelope;
  return { sessionId, timestamp, cwd, version, userType: "external", entrypoint, isSidechain };
}
