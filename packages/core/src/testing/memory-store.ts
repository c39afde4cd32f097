import type { JournalEntry } from "../history/journal.ts";
import { PawlError } from "../lib/error.ts";
import { freshId } from "../models/scripted/fresh-id.ts";
import type { TranscriptStore } from "../transcript/store.ts";

export type MemoryStore = TranscriptStore & {
  /** What was appended, in order: copies, as they were then. */
  readonly entries: readonly JournalEntry[];
  /** Stored outputs by their path. */
  readonly outputs: ReadonlyMap<string, string>;
  isClosed(): boolean;
};

/**
 * A transcript that is kept in memory. `path` is null, as of a session that is not kept; the paths of stored outputs are
 * absolute, and no file is there.
 *
 * `append` and `storeOutput` throw PawlError `transcript_write` once it is closed.
 */
export function memoryStore(sessionId = "00000000-0000-4000-8000-000000000000"): MemoryStore {
  const entries: JournalEntry[] = [];
  const outputs = new Map<string, string>();
  let isClosed = false;

  function refuseWhenClosed() {
    if (isClosed)
      throw new PawlError("transcript_write", `session ${sessionId} is closed; nothing more can be written`);
  }

  return {
    sessionId,
    path: null,
    entries,
    outputs,
    isClosed: () => isClosed,
    async append(entry) {
      refuseWhenClosed();
      entries.push(structuredClone(entry));
    },
    async storeOutput(name, text) {
      refuseWhenClosed();
      const path = freshId(`/memory/${sessionId}/${name}`, outputs);
      outputs.set(path, text);
      return path;
    },
    async close() {
      isClosed = true;
    },
  };
}
