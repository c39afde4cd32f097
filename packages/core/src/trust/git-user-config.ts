import { dirname, isAbsolute, join, resolve } from "node:path";
import { bytesOf } from "./bytes-of.ts";
import { type GitConfigEntry, MAX_CONFIG_BYTES, type PlacedEntry, parseGitConfig } from "./git-config.ts";
import { isHarmlessToLook } from "./git-harmless.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whose git it is: where the configuration that is no repository's own is found. */
export type GitUser = { home: string; env?: Environment | undefined };

/** Files that include each other: more are not read. */
const MAX_INCLUDED = 300;

/**
 * The entries of the user's and the system's configuration, included files with them, whatever their condition is. `unread`:
 * a file beyond those that are read.
 */
export async function configOfUser({
  home,
  env = {},
}: GitUser): Promise<{ entries: PlacedEntry[]; unread: string | undefined }> {
  const waiting = [
    env["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig",
    join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "git/config"),
    env["GIT_CONFIG_GLOBAL"] ?? join(home, ".gitconfig"),
  ];
  const entries: PlacedEntry[] = [];
  const seen = new Set<string>();
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    if (seen.has(place)) continue;
    if (seen.size === MAX_INCLUDED) return { entries, unread: place };
    seen.add(place);
    const bytes = await bytesOf(place, MAX_CONFIG_BYTES);
    if (!(bytes instanceof Buffer)) continue;
    for (const value of parseGitConfig(bytes.toString("utf8")) ?? []) {
      entries.push({ place, value });
      if (/^include(?:if)?\..*path$/.test(value.key)) waiting.push(included(value.value, place, home));
    }
  }
  return { entries, unread: undefined };
}

const included = (path: string, place: string, home: string): string =>
  path.startsWith("~/") ? join(home, path.slice(2)) : resolve(dirname(place), path);

/** Hooks that the user keeps in each worktree: what is there is the worktree's, not the user's. */
export const namesHooksInWorktree = ({ key, value }: GitConfigEntry): boolean =>
  key === "core.hookspath" && !isAbsolute(value) && !/^[~%]/.test(value);

/** The user's own programs are no concern here, but for one that a path in the worktree names and that is there. */
export async function programsInWorktree(entries: readonly PlacedEntry[], worktree: string): Promise<PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  for (const entry of entries) {
    if (isHarmlessToLook(entry.value)) continue;
    const program = /^[^\s/~'"][^\s/'"]*\/[^\s'"]*/.exec(entry.value.value)?.[0];
    if (program === undefined) continue;
    if ((await bytesOf(resolve(worktree, program), MAX_CONFIG_BYTES)) !== undefined) found.push(entry);
  }
  return found;
}
