import { type Directories, pathIn } from "../shell/analysis/directories.ts";
import { type ShellWord, UNKNOWN } from "../shell/analysis/shell-word.ts";
import type { PermissionContext } from "./context.ts";
import { matchesPathGlob } from "./path-glob.ts";
import { liesIn, placeOf } from "./place.ts";

/** A file that a command names: a path, a pattern of paths, or undefined: only the running command knows. */
export type CommandPath = NamedPath | undefined;

type NamedPath = {
  path: string;
  isGlob: boolean;
  /** Nothing stands before the pattern: a name that it matches may be an option. */
  isBareGlob?: boolean;
  /** It holds what zsh may read as a pattern. */
  isExtended?: boolean;
};

/** A pattern that meets more entries than this is not followed. */
const MAX_GLOB_ENTRIES = 2_000;

/** What a word names in each of the directories that its command may run in. */
export function pathsOf(word: ShellWord, directories: Directories): CommandPath[] {
  if (word.isPipe === true) return [];
  if (word.value.includes(UNKNOWN) || word.maySplit === true) return [undefined];
  return directories.map((directory) => {
    const isRelative = !/^(?:\/|~\/|~$)/.test(word.value);
    if (directory === undefined && isRelative) return undefined;
    return {
      path: pathIn(directory ?? "", word.value),
      isGlob: word.globAt !== undefined,
      ...(word.globAt === 0 ? { isBareGlob: true } : {}),
      ...(word.extendedAt === undefined ? {} : { isExtended: true }),
    };
  });
}

/** Whether the shell of a session may take the word for a pattern although it does not look like one. */
export const mayBePattern = (path: CommandPath, { shell }: PermissionContext): boolean =>
  path?.isExtended === true && shell === "zsh";

/** Whether whatever the word names lies in one of the folders: a pattern with all it matches, links followed. */
export async function namesOnlyIn(
  path: CommandPath,
  folders: readonly string[],
  context: PermissionContext,
  links: GlobWalk["links"] = "looked at",
): Promise<boolean> {
  if (path === undefined || mayBePattern(path, context)) return false;
  if (!path.isGlob) return liesIn(await placeOf(path.path, context), folders);
  const segments = path.path.split("/");
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  const begin = segments.slice(0, first).join("/") || (path.path.startsWith("/") ? "/" : ".");
  try {
    const walk = { links, left: MAX_GLOB_ENTRIES, optionsIn: path.isBareGlob === true ? begin : undefined };
    return await matchesOnlyIn(begin, segments.slice(first), folders, context, walk);
  } catch {
    return false; // it cannot be looked at
  }
}

/** `optionsIn`: the folder whose names the command gets as they are. `links`: whether what they lead to is enough to know. */
type GlobWalk = { left: number; optionsIn: string | undefined; links: "looked at" | "refused" };

async function matchesOnlyIn(
  folder: string,
  [pattern, ...rest]: readonly string[],
  folders: readonly string[],
  context: PermissionContext,
  walk: GlobWalk,
): Promise<boolean> {
  const place = await placeOf(folder, context);
  if (!liesIn(place, folders)) return false;
  if (pattern === undefined || pattern === "") return true;
  if (pattern === "..") return matchesOnlyIn(`${folder}/..`, rest, folders, context, walk);
  const entries = await context.files.list?.(place.lexical, walk.left);
  if (entries === undefined) return (await context.files.stat(place.lexical)) === undefined;
  walk.left -= entries.length;
  const isDeep = /^\*{2,}$/.test(pattern); // to some shells
  const isParent = pattern.startsWith(".") && mayMatch(pattern, ".."); // to others
  if (isParent && !(await matchesOnlyIn(`${folder}/..`, rest, folders, context, walk))) return false;
  if (isDeep && !(await matchesOnlyIn(folder, rest, folders, context, walk))) return false;
  for (const { name, type } of entries) {
    if (!mayMatch(pattern, name)) continue;
    if (name.startsWith("-") && folder === walk.optionsIn) return false; // it would be an option
    if (
      isDeep &&
      type === "folder" &&
      !(await matchesOnlyIn(`${folder}/${name}`, [pattern, ...rest], folders, context, walk))
    ) {
      return false;
    }
    if (type !== "file" && type !== "folder" && walk.links === "refused") return false;
    if (type === "file" || (type === "folder" && rest.length === 0)) continue;
    if (!(await matchesOnlyIn(`${folder}/${name}`, rest, folders, context, walk))) return false;
  }
  return true;
}

/** Whether nothing in a folder is a link that leads out of the folders; `isDeep`: nothing in it and below is a link at all. */
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
  const all = { path: `${lexical}/${isDeep ? "**" : "*"}`, isGlob: true };
  // Through a link it would go on in a folder that is not looked at.
  return namesOnlyIn(all, folders, context, isDeep ? "refused" : "looked at");
}

/** More than the pattern matches, rather than less. */
const mayMatch = (pattern: string, name: string): boolean =>
  /[[\\]/.test(pattern) || matchesPathGlob({ glob: pattern, isRelative: false }, name, "wide");
