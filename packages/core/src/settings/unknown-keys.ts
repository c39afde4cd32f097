import { nearestName } from "../lib/edit-distance.ts";
import { isObject } from "./check-value.ts";
import { LayerLines } from "./layer-lines.ts";
import type { SettingsLayer } from "./merge-layers.ts";
import { knownKeys, settingsSchema } from "./schema.ts";

/** A key that nothing of ours reads. */
export type UnknownKey = { key: string; place: string; line?: number; suggestion?: string };

/** Those of the outermost level and of `permissions`: they are kept, and may be meant for others or mistyped. */
export function unknownKeys(layers: readonly SettingsLayer[]): UnknownKey[] {
  return layers.flatMap(({ value, place, text }) => {
    const { properties = {} } = settingsSchema;
    const inner = isObject(value) ? value["permissions"] : undefined;
    const known = properties["permissions"]?.properties ?? {};
    const lines = new LayerLines(text);
    const at = (path: string[]) => ({ key: path.join("."), place, ...lines.at(path) });
    return [
      ...unknownOf(value, properties).map((key) => ({ ...at([key]), ...suggestionFor(key) })),
      ...keysOf(value).flatMap((key) => (toCome.has(key) ? [at([key])] : [])),
      ...unknownOf(inner, known).map((key) => ({ ...at(["permissions", key]), ...suggestionFor(key) })),
    ];
  });
}

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

const unknownOf = (value: unknown, known: object): string[] =>
  keysOf(value).filter((key) => !Object.hasOwn(known, key));

/** Keys that are checked and kept for parts that are still to come. Of hooks and the sandbox more is told. */
const toCome: ReadonlySet<string> = new Set(
  (
    "availableModels modelOverrides effortLevel alwaysThinkingEnabled outputStyle language agent statusLine " +
    "subagentStatusLine fileSuggestion enableAllProjectMcpServers enabledMcpjsonServers disabledMcpjsonServers " +
    "allowedMcpServers deniedMcpServers allowManagedMcpServersOnly disableSideloadFlags claudeMd enabledPlugins " +
    "extraKnownMarketplaces strictKnownMarketplaces blockedMarketplaces pluginConfigs skillOverrides " +
    "disableSkillShellExecution disableBundledSkills autoCompactEnabled autoCompactWindow autoMemoryEnabled " +
    "autoMemoryDirectory claudeMdExcludes fileCheckpointingEnabled cleanupPeriodDays plansDirectory attribution " +
    "includeCoAuthoredBy includeGitInstructions respectGitignore"
  ).split(" "),
);

/** The known key that differs least, if it differs little. */
export function suggestionFor(key: string): { suggestion?: string } {
  const suggestion = nearestName(key, knownKeys);
  return suggestion === undefined ? {} : { suggestion };
}
