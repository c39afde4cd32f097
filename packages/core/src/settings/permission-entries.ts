import { isObject } from "./check-value.ts";
import type { JsonEdit } from "./edit-json.ts";
import { type UpdatedSettings, updateSettings } from "./update-settings.ts";

type List = "allow" | "ask" | "deny" | "additionalDirectories";

/** Adds rules, as written, to a list of a settings file; one that stands there already is not repeated. */
export const addPermissionRules = (
  file: string,
  behavior: "allow" | "ask" | "deny",
  rules: readonly string[],
): Promise<UpdatedSettings> => updateSettings(file, (before) => added(before, behavior, rules));

/** Takes rules out of a list, those that are written the same. */
export const removePermissionRules = (
  file: string,
  behavior: "allow" | "ask" | "deny",
  rules: readonly string[],
): Promise<UpdatedSettings> => updateSettings(file, (before) => removed(before, behavior, rules));

/** Adds folders that tools may use. */
export const addDirectories = (file: string, directories: readonly string[]): Promise<UpdatedSettings> =>
  updateSettings(file, (before) => added(before, "additionalDirectories", directories));

export const removeDirectories = (file: string, directories: readonly string[]): Promise<UpdatedSettings> =>
  updateSettings(file, (before) => removed(before, "additionalDirectories", directories));

function added(before: Readonly<Record<string, unknown>>, list: List, entries: readonly string[]): JsonEdit[] {
  const there = entriesOf(before, list);
  const append = [...new Set(entries)].filter((entry) => !there.includes(entry));
  return append.length === 0 ? [] : [{ path: ["permissions", list], append }];
}

function removed(before: Readonly<Record<string, unknown>>, list: List, entries: readonly string[]): JsonEdit[] {
  const there = entriesOf(before, list);
  const kept = there.filter((entry) => !entries.some((each) => each === entry));
  return kept.length === there.length ? [] : [{ path: ["permissions", list], value: kept }];
}

function entriesOf({ permissions }: Readonly<Record<string, unknown>>, list: List): readonly unknown[] {
  const entries = isObject(permissions) ? permissions[list] : undefined;
  return Array.isArray(entries) ? entries : [];
}
