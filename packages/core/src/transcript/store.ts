import type { JournalEntry } from "../history/journal.ts";

/** Where a session's journal goes. One writer; order of writing is order of calling. */
export interface TranscriptStore {
  readonly sessionId: string;
  /** Absolute path of the JSONL file, or null when nothing is kept. */
  readonly path: string | null;
  /** Resolves when the entry, and all before it, are with the operating system: a kill of this process loses none of them. */
  append(entry: JournalEntry): Promise<void>;
  /** Stores a big output beside the session; gives its absolute path. */
  storeOutput(name: string, text: string): Promise<string>;
  /** Resolves when all is written and the lock given back. */
  close(): Promise<void>;
}
