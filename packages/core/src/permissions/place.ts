import { isAbsolute, resolve } from "node:path";
import type { PermissionContext } from "./context.ts";

/** A path as written and as the file system follows it. */
export type Place = {
  /** Absolute, `..` resolved by text alone. */
  lexical: string;
  /** Absolute, links followed; more than one where `..` after a link can be read in two ways. Empty: cannot be followed. */
  real: readonly string[];
};

type Resolver = Pick<PermissionContext, "cwd" | "home" | "files">;

export async function placeOf(path: string, { cwd, home, files }: Resolver): Promise<Place> {
  const expanded = expandHome(path, home);
  const lexical = resolve(cwd, expanded);
  const asTheSystemReadsIt = isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`;
  try {
    const real = [await files.realPath(lexical)];
    if (expanded.includes("..")) real.push(await files.realPath(asTheSystemReadsIt));
    return { lexical, real };
  } catch {
    return { lexical, real: [] }; // a loop of links, no right to look, an impossible name: nobody can say where it leads
  }
}

export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/** Whether every way to follow the path ends in one of the folders. */
export function liesIn(place: Place, folders: readonly string[]): boolean {
  return place.real.length > 0 && place.real.every((path) => folders.some((folder) => isWithin(path, folder)));
}

/** Whether an absolute path is the folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
