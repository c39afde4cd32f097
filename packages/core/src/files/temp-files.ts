import { randomBytes } from "node:crypto";
import { lstat, opendir, rm } from "node:fs/promises";
import type { OpenFolder } from "./open-folder.ts";

/** A temp file that nobody has finished for so long was left by a process that was killed. Milliseconds. */
const STALE_TEMP_MS = 3_600_000;
/** Of a bigger folder only so many names are looked at. */
const MAX_SWEPT_NAMES = 10_000;
/** Folders that this process has swept are remembered, the latest of them. */
const MAX_SWEPT_FOLDERS = 1_000;

const TEMP_NAME = /^\.pawl-[0-9a-f]{16}\.tmp$/;

/** What a file is called while it is written. */
export const tempName = () => `.pawl-${randomBytes(8).toString("hex")}.tmp`;

const swept = new Set<string>();

/** Removes what killed processes left in a folder: once for each folder and process. Never fails. */
export async function sweepTempFiles(folder: OpenFolder, realPath: string, now = Date.now()): Promise<void> {
  if (swept.has(realPath)) return;
  if (swept.size >= MAX_SWEPT_FOLDERS) swept.clear();
  swept.add(realPath);
  try {
    let seen = 0;
    for await (const { name } of await opendir(folder.at("."))) {
      if (TEMP_NAME.test(name)) await removeIfStale(folder.at(name), now);
      if (++seen === MAX_SWEPT_NAMES) return;
    }
  } catch {
    // Nobody waits for it: a folder that cannot be listed or changed keeps what it has.
  }
}

async function removeIfStale(path: string, now: number): Promise<void> {
  const stats = await lstat(path);
  const isOurs = stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
  if (isOurs && now - stats.mtimeMs > STALE_TEMP_MS) await rm(path, { force: true });
}
