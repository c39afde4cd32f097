import { opendir } from "node:fs/promises";
import { systemCode } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { isMissing } from "./real-path.ts";
import type { FolderEntry } from "./workspace-files.ts";

/** What is in a folder; undefined when there is no such folder, it may not be read or holds more than `maxEntries`. */
export async function listFolder(path: string, maxEntries: number): Promise<readonly FolderEntry[] | undefined> {
  requireUsablePath(path);
  const entries: FolderEntry[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (entries.length === maxEntries) return undefined;
      entries.push({ name: entry.name, type: typeOf(entry) });
    }
    return entries;
  } catch (error) {
    if (isMissing(error) || systemCode(error) === "EACCES") return undefined;
    throw fileError(error, path);
  }
}

type Named = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

function typeOf(entry: Named): FolderEntry["type"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}
