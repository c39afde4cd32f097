import { join } from "node:path";
import type { ToolContext } from "../tool.ts";

/** Of more files the times are not looked up: they stay in the order of their paths. */
export const MAX_TIMED_FILES = 20_000;
/** Files looked at beside each other. */
const LANES = 32;

/** Names below `folder` with the newest first; those of one age by their path. */
export async function newestFirst(
  names: readonly string[],
  folder: string,
  { files, signal }: Pick<ToolContext, "files" | "signal">,
): Promise<string[]> {
  const sorted = inPathOrder(names);
  if (sorted.length < 2 || sorted.length > MAX_TIMED_FILES) return sorted;
  const times = new Map<string, number>();
  const waiting = sorted.values();
  const lane = async () => {
    for (const name of waiting) {
      if (signal.aborted) return;
      times.set(name, await modifiedMs(join(folder, name), files));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return sorted.sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
}

/** 0 for what is gone by now, or has a name that is no UTF-8. */
async function modifiedMs(path: string, files: ToolContext["files"]): Promise<number> {
  try {
    return (await files.stat(path))?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

/** Folder by folder, as a walk meets them. Names hold no NUL, which sorts before all else. */
export const inPathOrder = (names: readonly string[]): string[] =>
  names
    .map((name) => name.replaceAll("/", "\0"))
    .sort()
    .map((key) => key.replaceAll("\0", "/"));
