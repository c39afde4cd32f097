import { isAbsolute, join, resolve } from "node:path";
import { sha256 } from "../files/hash.ts";
import { bytesOf } from "./bytes-of.ts";
import type { FolderItem } from "./folder-item.ts";
import type { GitConfigEntry } from "./git-config.ts";

const MAX_HOOK_BYTES = 8 * 1024 * 1024;

/** The one hook that git runs when it only looks: `git diff` writes down what it found out about unchanged files. */
const names = ["post-index-change", "post-index-change.exe"] as const;

type Places = { commonFolder: string; worktree: string; entries: readonly GitConfigEntry[] };

/** Hooks that looking at a repository may start, by what is in them. */
export async function hooksOfLooking({ commonFolder, worktree, entries }: Places): Promise<FolderItem[]> {
  const configured = entries.filter(({ key }) => key === "core.hookspath").map(({ value }) => value);
  const folders = [join(commonFolder, "hooks"), ...configured.map((path) => folderNamed(path, worktree))];
  const found: FolderItem[] = [];
  for (const place of new Set(folders.flatMap((folder) => names.map((name) => join(folder, name))))) {
    const bytes = await bytesOf(place, MAX_HOOK_BYTES);
    if (bytes === undefined) continue;
    const content = bytes === "unreadable" ? "that cannot be read" : sha256(bytes);
    found.push({ source: "gitConfig", place, key: "(hook)", value: `a hook, ${content}` });
  }
  const elsewhere = configured.filter((path) => path.startsWith("~") || path.startsWith("%("));
  return [...found, ...elsewhere.map((value) => item(join(commonFolder, "config"), value))];
}

/** A path from the home folder or from git's own: what is there is not looked at. */
const item = (place: string, value: string): FolderItem => ({
  source: "gitConfig",
  place,
  key: "core.hookspath",
  value,
});

const folderNamed = (path: string, worktree: string): string => (isAbsolute(path) ? path : resolve(worktree, path));
