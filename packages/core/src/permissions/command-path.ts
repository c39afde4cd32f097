import { type Directories, pathIn } from "../shell/analysis/directories.ts";
import { type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import type { PermissionContext } from "./context.ts";
import { matchesPathGlob } from "./path-glob.ts";
import { liesIn, placeOf } from "./place.ts";

/** A file that a command names: a path, a pattern of paths, or undefined: only the running command knows. */
export type CommandPath = { path: string; isGlob: boolean } | undefined;

/** A pattern that meets more entries than this is not followed. */
const MAX_GLOB_ENTRIES = 2_000;

/** What a word names in each of the directories that its command may run in. */
export function pathsOf(word: ShellWord, directories: Directories): CommandPath[] {
  if (word.isPipe === true) return [];
  if (word.value.includes(UNKNOWN) || word.maySplit === true) return [undefined];
  return directories.map((directory) => {
    const isRelative = !/^(?:\/|~\/|~$)/.test(word.value);
    if (directory === undefined && isRelative) return undefined;
    return { path: pathIn(directory ?? "", word.value), isGlob: word.globAt !== undefined };
  });
}

/** Whether whatever the word names lies in one of the folders: a pattern with all it matches, links followed. */
export async function namesOnlyIn(
  path: CommandPath,
  folders: readonly string[],
  context: PermissionContext,
): Promise<boolean> {
  if (path === undefined) return false;
  if (!path.isGlob) return liesIn(await placeOf(path.path, context), folders);
  const segments = path.path.split("/");
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  const begin = segments.slice(0, first).join("/") || (path.path.startsWith("/") ? "/" : ".");
  try {
    return await matchesOnlyIn(begin, segments.slice(first), folders, context, { left: MAX_GLOB_ENTRIES });
  } catch {
    return false; // it cannot be looked at
  }
}

async function matchesOnlyIn(
  folder: string,
  [pattern, ...rest]: readonly string[],
  folders: readonly string[],
  context: PermissionContext,
  budget: { left: number },
): Promise<boolean> {
  const place = await placeOf(folder, context);
  if (!liesIn(place, folders)) return false;
  if (pattern === undefined || pattern === "") return true;
  if (pattern === "..") return matchesOnlyIn(`${folder}/..`, rest, folders, context, budget);
  const entries = await context.files.list?.(place.lexical, budget.left);
  if (entries === undefined) return (await context.files.stat(place.lexical)) === undefined;
  budget.left -= entries.length;
  const isDeep = /^\*{2,}$/.test(pattern); // to some shells
  const isParent = pattern.startsWith(".") && mayMatch(pattern, ".."); // to others
  if (isParent && !(await matchesOnlyIn(`${folder}/..`, rest, folders, context, budget))) return false;
  if (isDeep && !(await matchesOnlyIn(folder, rest, folders, context, budget))) return false;
  for (const { name, type } of entries) {
    if (!mayMatch(pattern, name)) continue;
    if (name.startsWith("-") && folder === ".") return false; // it would be an option
    if (
      isDeep &&
      type === "folder" &&
      !(await matchesOnlyIn(`${folder}/${name}`, [pattern, ...rest], folders, context, budget))
    ) {
      return false;
    }
    if (type === "file" || (type === "folder" && rest.length === 0)) continue;
    if (!(await matchesOnlyIn(`${folder}/${name}`, rest, folders, context, budget))) return false;
  }
  return true;
}

/** Whether nothing in a folder, or in a folder below it if `isDeep`, is a link that leads out of the folders. */
export async function holdsOnlyIn(
  path: CommandPath,
  isDeep: boolean,
  folders: readonly string[],
  context: PermissionContext,
): Promise<boolean> {
  if (path === undefined || path.isGlob) return false;
  const { lexical } = await placeOf(path.path, context);
  const stamp = await context.files.stat(lexical).catch(() => undefined);
  if (stamp?.isDirectory !== true) return true;
  return namesOnlyIn({ path: `${lexical}/${isDeep ? "**" : "*"}`, isGlob: true }, folders, context);
}

/** More than the pattern matches, rather than less. */
const mayMatch = (pattern: string, name: string): boolean =>
  /[[\\]/.test(pattern) || matchesPathGlob({ glob: pattern, isRelative: false }, name, "wide");
