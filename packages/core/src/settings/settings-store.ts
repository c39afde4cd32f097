import { isObject } from "./check-value.ts";
import { mergeLayers, type SettingsLayer } from "./merge-layers.ts";
import { type LayerOptions, readLayers } from "./read-layers.ts";
import { keptLists } from "./salvage-rules.ts";
import type { Settings } from "./settings.ts";

/** What stands between the files and their use, such as the question whether the folder is trusted. */
type ReviewLayers = (
  layers: readonly SettingsLayer[],
) => Promise<{ layers: readonly SettingsLayer[]; warnings: readonly string[] }>;

/** The settings of one session. */
export type SettingsStore = {
  /** The value since the last look at the files: the same for a whole turn. */
  current(): Settings;
  /** Looks at the files again. @returns warnings that were not given before. */
  refresh(): Promise<readonly string[]>;
};

/** Reads the settings. Never throws, unless `review` does. */
export async function openSettings(options: LayerOptions, review: ReviewLayers = asTheyAre): Promise<SettingsStore> {
  const lastGood = new Map<string, SettingsLayer>();
  let given = new Map<string, SettingsLayer>();
  let current = mergeLayers([]);

  async function refresh(): Promise<readonly string[]> {
    const read = await readLayers(options, (path) => lastGood.get(path));
    for (const layer of read.layers) if (layer.text !== undefined) lastGood.set(layer.place, layer);
    const places = new Map(read.layers.map((layer) => [layer.place, layer]));
    const gone = [...given.values()].filter(({ place }) => !places.has(place));
    for (const { place } of gone) lastGood.delete(place);
    given = places;
    const reviewed = await review(read.layers);
    const before = new Set(current.warnings);
    current = mergeLayers(reviewed.layers, [...read.warnings, ...reviewed.warnings]);
    return [...gone.flatMap(removalWarning), ...current.warnings.filter((warning) => !before.has(warning))];
  }

  await refresh();
  return { current: () => current, refresh };
}

const asTheyAre: ReviewLayers = async (layers) => ({ layers, warnings: [] });

/** Rules that forbid do not go away without a word. */
function removalWarning({ place, value }: SettingsLayer): string[] {
  const permissions = isObject(value) ? value["permissions"] : undefined;
  const count = keptLists
    .map((list) => (isObject(permissions) ? permissions[list] : undefined))
    .reduce<number>((sum, rules) => sum + (Array.isArray(rules) ? rules.length : 0), 0);
  return count === 0 ? [] : [`${place}: was removed, and its deny and ask rules (${count}) with it`];
}
