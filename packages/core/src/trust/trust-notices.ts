import type { Fingerprint, FolderItem } from "./folder-item.ts";
import { oneLine } from "./one-line.ts";

/** More keys of one file are counted, not named. */
const MAX_KEYS_NAMED = 12;

/** One notice for each file of which something is left out. */
export function leftOutNotices(items: readonly FolderItem[], consented: Fingerprint | undefined): string[] {
  const byPlace = new Map<string, string[]>();
  for (const { place, key } of items) byPlace.set(place, [...(byPlace.get(place) ?? []), key]);
  const why =
    consented === undefined ? "this workspace has not been trusted" : "this workspace has changed since it was trusted";
  return [...byPlace].map(([place, keys]) => oneLine(`${place}: left out: ${named(keys)}; ${why}. ${fix}`));
}

const fix = "Look at the file; with --trust (option trustFolder) all of it is used for this run.";

function named(keys: readonly string[]): string {
  const more = keys.length - MAX_KEYS_NAMED;
  return [...keys.slice(0, MAX_KEYS_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

export const leftOutVariables = (leftOut: readonly string[], root: string): string[] =>
  leftOut.length === 0
    ? []
    : [
        `Left out of the variables, because it leads into ${root}, which has not been trusted: ${named(leftOut)}. ${runFix}`,
      ];

const runFix = "With --trust (option trustFolder) it is used for this run.";
