import { basename, dirname, extname, join } from "node:path";
import { editDistance } from "../lib/edit-distance.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** In a larger folder no name is looked for. */
const MAX_ENTRIES = 10_000;
const MAX_SUGGESTIONS = 3;
/** Letters in which a suggested name may differ. */
const MAX_TYPOS = 2;

type Files = Pick<WorkspaceFiles, "list" | "stat">;

/**
 * The one existing path that looks the same as `path`, which does not exist: with composed letters for decomposed ones, other
 * blanks for plain ones, typographic quotes for straight ones. Undefined when there is none or more than one.
 */
export async function findName(path: string, files: Files): Promise<string | undefined> {
  if ((await statOf(path, files)) !== undefined) return path;
  const parent = dirname(path);
  if (parent === path) return undefined;
  const folder = await findName(parent, files);
  if (folder === undefined) return undefined;
  const looks = lookOf(basename(path));
  const names = await namesIn(folder, files);
  const alike = names.filter((name) => lookOf(name) === looks && join(folder, name) !== path);
  const [only] = alike;
  return alike.length === 1 && only !== undefined ? join(folder, only) : undefined;
}

/** Paths beside `path`, which does not exist, that may have been meant: other letter case, other ending, a slip of the pen. */
export async function similarPaths(path: string, files: Files): Promise<string[]> {
  const folder = dirname(path);
  const wanted = lookOf(basename(path)).toLowerCase();
  const names = (await namesIn(folder, files)).map((name) => ({
    name,
    typos: editDistance(wanted, lookOf(name).toLowerCase(), MAX_TYPOS),
  }));
  const near = names.filter(({ name, typos }) => typos <= MAX_TYPOS || isSameStem(name, basename(path)));
  near.sort((one, other) => one.typos - other.typos || (one.name < other.name ? -1 : 1));
  return near.slice(0, MAX_SUGGESTIONS).map(({ name }) => join(folder, name));
}

async function statOf(path: string, files: Files) {
  try {
    return await files.stat(path);
  } catch {
    return undefined; // a loop of links, a part that may not be looked into
  }
}

async function namesIn(folder: string, files: Files): Promise<string[]> {
  try {
    return ((await files.list?.(folder, MAX_ENTRIES)) ?? []).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** How a name looks: two that look the same are taken for each other by a model that copies one. */
function lookOf(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"');
}

const stemOf = (name: string) => basename(name, extname(name)).toLowerCase();
const isSameStem = (one: string, other: string) => stemOf(one) === stemOf(other) && stemOf(one) !== "";
