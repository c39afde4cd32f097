import { isObject } from "../settings/check-value.ts";
import type { SettingsLayer } from "../settings/merge-layers.ts";
import type { FolderItem } from "./folder-item.ts";
import { isHarmless } from "./harmless-keys.ts";

type Withheld = {
  /** In their order; of the folder's only what is harmless. */
  layers: readonly SettingsLayer[];
  /** What was taken out: all in the folder's settings that may run, reach out or grant something. */
  items: readonly FolderItem[];
};

/** These hold entries that count one by one. */
const groups: readonly string[] = ["permissions", "env"];

/**
 * Splits settings into what may be used without consent to the folder, and the rest. Layers of other sources are left as they
 * are. Pure.
 */
export function withhold(layers: readonly SettingsLayer[]): Withheld {
  const items: FolderItem[] = [];
  const kept = layers.map((layer) => {
    const { source, place, value } = layer;
    if (!isOfFolder(layer) || !isObject(value)) return layer;
    const take = (key: string, taken: unknown) =>
      items.push({ source: folderSource(source), place, key, value: taken });
    return { ...layer, value: harmlessPart(value, take) };
  });
  return { layers: kept, items };
}

const isOfFolder = ({ source }: SettingsLayer) => source === "projectSettings" || source === "localSettings";

const folderSource = (source: SettingsLayer["source"]) =>
  source === "localSettings" ? "localSettings" : "projectSettings";

function harmlessPart(value: Record<string, unknown>, take: (key: string, value: unknown) => void) {
  const parts = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
    if (groups.includes(key)) {
      // What is no object grants nothing: it is left for the reader of settings to complain about.
      if (!isObject(entry)) return [[key, entry]];
      const kept = Object.entries(entry).filter(([name, each]) => isKept(`${key}.${name}`, each, take));
      return [[key, Object.fromEntries(kept)]];
    }
    return isKept(key, entry, take) ? [[key, entry]] : [];
  });
  return Object.fromEntries(parts);
}

function isKept(key: string, value: unknown, take: (key: string, value: unknown) => void): boolean {
  const kept = isHarmless(key, value);
  if (!kept) take(key, value);
  return kept;
}
