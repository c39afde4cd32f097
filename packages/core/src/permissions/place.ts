import { posix } from "node:path";
import { messageOf, PawlError, systemCode } from "../lib/error.ts";
import type { PermissionContext } from "./context.ts";
import { isWithin, type Platform, thisPlatform } from "./platform.ts";
import { hasShortName, windowsPath } from "./windows-path.ts";

/** A path as written and as the file system follows it. */
export type Place = {
  /** Absolute, `..` resolved by text alone. */
  lexical: string;
  /** Absolute, links followed; more than one where a text can be read in two ways. Empty: cannot be followed. */
  real: readonly string[];
  platform: Platform;
  /** The name may stand for a file of another name. */
  isAlias?: boolean;
  /** Why no file can have this path: a loop of links, or a name that cannot be. */
  fault?: string;
};

type Resolver = Pick<PermissionContext, "cwd" | "home" | "files" | "platform">;

export async function placeOf(path: string, context: Resolver): Promise<Place> {
  const { cwd, home, platform = thisPlatform } = context;
  if (platform === "win32") return windowsPlaceOf(expandHome(path.replace(/^~\\/, "~/"), home), context);
  const expanded = expandHome(path, home);
  const lexical = posix.resolve(cwd, expanded);
  const asTheSystemReadsIt = expanded.startsWith("/") ? expanded : `${cwd}/${expanded}`;
  const readings = expanded.includes("..") ? [lexical, asTheSystemReadsIt] : [lexical];
  return { lexical, ...(await followed(readings, context)), platform };
}

async function windowsPlaceOf(written: string, context: Resolver): Promise<Place> {
  const { path, otherwise, isOpen } = windowsPath(written, context.cwd);
  const lexical = posix.resolve("/", path);
  const readings = [lexical, ...(path.includes("..") ? [path] : []), ...(otherwise === undefined ? [] : [otherwise])];
  if (isOpen) return { lexical, real: [], platform: "win32", ...(hasShortName(lexical) ? { isAlias: true } : {}) };
  const place = await followed(readings, context);
  const isAlias = (place.real.length === 0 ? [lexical] : place.real).some(hasShortName);
  return { lexical, ...place, platform: "win32", ...(isAlias ? { real: [], isAlias } : {}) };
}

/** Where the readings of a path lead; nowhere for a loop of links, a place that may not be looked at, an impossible name. */
async function followed(readings: readonly string[], { files }: Resolver): Promise<Pick<Place, "real" | "fault">> {
  const real: string[] = [];
  try {
    for (const path of readings) real.push(await files.realPath(path));
    return { real };
  } catch (error) {
    return { real: [], ...(isImpossible(error) ? { fault: messageOf(error) } : {}) };
  }
}

const isImpossible = (error: unknown): boolean =>
  error instanceof PawlError && (error.code === "file_path" || systemCode(error.cause) === "ELOOP");

export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/** Whether every way to follow the path ends in one of the folders. */
export function liesIn({ real, platform }: Place, folders: readonly string[]): boolean {
  return real.length > 0 && real.every((path) => folders.some((folder) => isWithin(path, folder, platform)));
}
