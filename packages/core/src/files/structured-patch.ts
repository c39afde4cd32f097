import { toLf } from "./line-endings.ts";

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;
/** Texts that differ in more lines are shown as one replaced block. */
const MAX_COMPARED_LINES = 1_000;

/** One changed place. `lines` begin with ` `, `-` or `+`; numbers count from 1. */
type PatchHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };

/** What changed from `before` to `after`, for eyes: line endings are not told apart. */
export async function structuredPatch(before: string, after: string): Promise<PatchHunk[]> {
  const diff = await import("diff");
  const [old, now] = [toLf(before).toWellFormed(), toLf(after).toWellFormed()];
  const patch = diff.structuredPatch("", "", old, now, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_COMPARED_LINES,
  });
  if (patch === undefined) return [oneBlock(old.split("\n"), now.split("\n"))];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines,
  }));
}

function oneBlock(before: string[], after: string[]): PatchHunk {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const removed = before.slice(head, before.length - tail).map((line) => `-${line}`);
  const added = after.slice(head, after.length - tail).map((line) => `+${line}`);
  return {
    oldStart: head + 1,
    oldLines: removed.length,
    newStart: head + 1,
    newLines: added.length,
    lines: [...removed, ...added],
  };
}
