import { basename, join, normalize } from "node:path";
import type { ReadFilter } from "../../permissions/read-access.ts";

/** Where a search starts and which files of the walk it is about. */
export type SearchScope = {
  /** Relative to the folder that the pattern counts from, or absolute. Its own ignore files do not keep a search out of it. */
  folder: string;
  /** By the path below `folder`. */
  matches(below: string): boolean;
  /** Arguments that let ripgrep pass over files whose name alone rules them out. */
  narrowing: readonly string[];
};

/** Characters that make a segment of a glob more than a name. */
const WILD = /[*?[\]{}()!+@\\]/;

/** The folders that a glob begins with literally, where the walk starts, and what is matched below them. */
export function splitGlob(pattern: string): { folder: string; rest: string } {
  const segments = pattern.split("/");
  const wild = segments.findIndex((segment) => WILD.test(segment));
  const at = wild === -1 ? segments.length - 1 : wild;
  const folder = segments.slice(0, at).join("/");
  const isAbsolute = pattern.startsWith("/");
  return { folder: isAbsolute ? folder || "/" : normalize(folder || "."), rest: segments.slice(at).join("/") };
}

/** A pattern of whole paths: `*` stays within one folder, `**` goes through any number of them. */
export async function pathScope(pattern: string): Promise<SearchScope> {
  const { folder, rest } = splitGlob(pattern);
  const { default: picomatch } = await import("picomatch");
  const isMatch = picomatch(rest, { dot: true });
  // A name such as `[id].tsx` is also meant as it is written.
  return { folder, matches: (below) => below === rest || isMatch(below), narrowing: nameNarrowing(rest) };
}

/** A pattern as ignore files have it: without a slash it is about the name, in whatever folder. */
export async function ignoreStyleScope(glob: string): Promise<SearchScope> {
  if (glob.startsWith("!")) return { folder: ".", matches: () => true, narrowing: [`--glob=${glob}`] };
  if (!glob.includes("/")) {
    const byName = await pathScope(glob);
    return { ...byName, folder: ".", matches: (below) => byName.matches(basename(below)) };
  }
  return pathScope(`${glob.replace(/^\/+/, "")}${glob.endsWith("/") ? "**" : ""}`);
}

/** Where a search with such a glob starts. */
export function globFolder(glob = "*"): string {
  return glob.startsWith("!") || !glob.includes("/") ? "." : splitGlob(glob.replace(/^\/+/, "")).folder;
}

/**
 * ripgrep's own `--glob` would also find what an ignore file names, which a type does not. Only plain wildcards: what is let
 * through is matched again, what is not is lost.
 */
function nameNarrowing(pattern: string): string[] {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const isPlain = /^[\w.*?-]+$/.test(name.replace(/\{[\w.*?-]+(,[\w.*?-]+)*\}/g, "x"));
  if (!isPlain || name === "**") return [];
  return [`--type-add=pawlname:${name}`, "--type=pawlname"];
}

/** What of a walk below `folder` a search may show. `asked`: how many a rule wants to be asked about first. */
export function readable(
  names: readonly string[],
  filter: ReadFilter | undefined,
): { names: readonly string[]; asked: number } {
  if (filter === undefined) return { names, asked: 0 };
  const verdicts = names.map((name) => filter(name));
  return {
    names: names.filter((_, index) => verdicts[index] === "open"),
    asked: verdicts.filter((verdict) => verdict === "ask").length,
  };
}

/** The folder that a search reads, as the permission decision looks at it. */
export const startOf = (path: string | undefined, folder: string): string =>
  folder.startsWith("/") ? folder : join(path ?? ".", folder);
