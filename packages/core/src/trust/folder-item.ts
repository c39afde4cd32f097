import { relative } from "node:path";
import { sha256 } from "../files/hash.ts";
import { isInside } from "../lib/is-inside.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Where in the folder something stands that would run, reach out or grant. `script`: a file that one of the others names. */
export type ItemSource = "projectSettings" | "localSettings" | "mcpJson" | "gitConfig" | "script";

/** One entry of the folder's executable configuration. */
export type FolderItem = {
  readonly source: ItemSource;
  /** Absolute path of the file. */
  readonly place: string;
  readonly key: string;
  readonly value: unknown;
};

/** Name of an item → hex SHA-256 of its value. A consent is given to such a record, and holds for no other. */
export type Fingerprint = Readonly<Record<string, string>>;

/** Roots of the folder: its own, and for a worktree the main checkout's. Absolute real paths. */
export type FolderRoots = { readonly root: string; readonly mainRoot: string };

/**
 * The hash of a folder's executable configuration, entry by entry. Order of keys and layout of the files do not count; what
 * stands several times counts each time, in its order.
 */
export function fingerprintOf(items: readonly FolderItem[], roots: FolderRoots): Fingerprint {
  const values = new Map<string, unknown[]>();
  for (const item of items) {
    const name = nameOf(item, roots);
    values.set(name, [...(values.get(name) ?? []), item.value]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, sha256(new TextEncoder().encode(canonicalJson(all)))]),
  );
}

/** Names an item so that it is the same in every worktree of a repository. */
export function nameOf({ source, place, key }: FolderItem, { root, mainRoot }: FolderRoots): string {
  const base = [root, mainRoot].find((folder) => isInside(place, folder));
  return JSON.stringify([source, base === undefined ? place : relative(base, place), key]);
}

/** Whether two fingerprints are the same in what comes from `sources`; the others were not looked at. */
export function isSameIn(sources: readonly ItemSource[], one: Fingerprint, other: Fingerprint): boolean {
  const relevant = (fingerprint: Fingerprint) =>
    Object.fromEntries(
      Object.entries(fingerprint).filter(([name]) => sources.some((source) => name.startsWith(`["${source}",`))),
    );
  return isSame(relevant(one), relevant(other));
}

export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
