/** What the model has seen of each file: refuses stale edits and avoids sending unchanged files again. */
export type FileState = {
  /** Of the bytes on disk when they were read or written, hex SHA-256. */
  hash: string;
  mtimeMs: number;
  size: number;
  /** Whether the model knows all of it, by reading or by its own write: only then may it write the file anew. */
  isWhole: boolean;
  /** The lines that the Read tool gave last and that are still in the conversation; without `limit` to the end of the file. */
  given?: { offset: number; limit?: number };
};

/** Keyed by absolute real path. A value: it can be carried to a later session. */
export interface FileStateCache {
  get(path: string): FileState | undefined;
  set(path: string, state: FileState): void;
  delete(path: string): void;
  entries(): IterableIterator<[string, FileState]>;
}

/** Beyond this many files the one seen longest ago is forgotten. */
export const MAX_FILE_STATES = 5_000;

export function createFileStateCache(initial: Iterable<readonly [string, FileState]> = []): FileStateCache {
  const states = new Map<string, FileState>(initial);
  return {
    get: (path) => states.get(path),
    set(path, state) {
      states.delete(path);
      states.set(path, state);
      if (states.size > MAX_FILE_STATES) {
        const oldest = states.keys().next();
        if (!oldest.done) states.delete(oldest.value);
      }
    },
    delete: (path) => void states.delete(path),
    entries: () => states.entries(),
  };
}
