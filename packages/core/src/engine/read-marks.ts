import type { FileState, FileStateCache } from "../files/file-state-cache.ts";
import type { ToolUseId } from "../messages/message.ts";

/** What calls note of files holds once the model has been given their results, whole. */
export type ReadMarks = {
  /** The file states as one call sees and sets them. */
  of(toolUseId: ToolUseId): FileStateCache;
  /** The results of an answer are written: what all other calls have noted until now is taken back, and what they note later is dropped. */
  settle(given: Iterable<ToolUseId>): void;
};

type Mark = { toolUseId: ToolUseId; path: string; before: FileState | undefined; after: FileState | undefined };

/** Marks in `cache`, which holds also those that are not settled: a file may be changed in the answer that reads it. */
export function createReadMarks(cache: FileStateCache): ReadMarks {
  let marks: Mark[] = [];
  /** One for the calls between two settlements. */
  let period = { isOver: false };

  function put(path: string, state: FileState | undefined): void {
    if (state === undefined) cache.delete(path);
    else cache.set(path, state);
  }

  function viewOf(toolUseId: ToolUseId): FileStateCache {
    const mine = period;
    function note(path: string, after: FileState | undefined): void {
      if (mine.isOver) return;
      marks.push({ toolUseId, path, before: cache.get(path), after });
      put(path, after);
    }
    return {
      get: (path) => (marks.some((mark) => mark.path === path) ? withoutGiven(cache.get(path)) : cache.get(path)),
      set: note,
      delete: (path) => note(path, undefined),
      entries: () => cache.entries(),
    };
  }

  return {
    of: viewOf,
    settle(given) {
      const isGiven = new Set(given);
      const settled = marks;
      marks = [];
      period.isOver = true;
      period = { isOver: false };
      for (const path of new Set(settled.filter((mark) => !isGiven.has(mark.toolUseId)).map(({ path }) => path))) {
        const ofPath = settled.filter((mark) => mark.path === path);
        put(
          path,
          knownOf(ofPath, ({ toolUseId }) => isGiven.has(toolUseId)),
        );
      }
    },
  };
}

/** What is known of a file of which not all marks hold: a mark that follows one that does not is whole only where all was known before. */
function knownOf(marks: readonly Mark[], holds: (mark: Mark) => boolean): FileState | undefined {
  const before = marks[0]?.before;
  const last = marks.findLastIndex(holds);
  const after = last === -1 ? before : marks[last]?.after;
  if (after === undefined || marks.slice(0, last + 1).every(holds)) return after;
  return { ...after, isWhole: after.isWhole && before?.isWhole === true };
}

/** A result that is not in the conversation yet is not to be pointed to. */
function withoutGiven(state: FileState | undefined): FileState | undefined {
  if (state === undefined) return undefined;
  const { given: _, ...known } = state;
  return known;
}
