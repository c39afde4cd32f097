import { join } from "node:path";
import { PawlError } from "../lib/error.ts";
import { LOCAL_FILE } from "./git-exclude.ts";
import { mergeLayers } from "./merge-layers.ts";
import { schemaAt, settingsSchema } from "./schema.ts";
import { type FileSource, localFolder, type SettingsPlaces } from "./setting-files.ts";
import type { Settings } from "./settings.ts";
import { suggestionFor } from "./unknown-keys.ts";
import { type UpdatedSettings, updateSettings } from "./update-settings.ts";

/** Our own file of a source: the one that is written. */
export async function settingsFileOf(source: FileSource, places: SettingsPlaces): Promise<string> {
  if (source === "user") return join(places.configHome, "settings.json");
  if (source === "project") return join(places.cwd, ".pawl", "settings.json");
  return join(await localFolder(places), ".pawl", LOCAL_FILE);
}

/** What is wrong with settings beyond their form, such as a rule that cannot be read. */
type FindFaults = (settings: Settings) => readonly string[];

/**
 * Sets one key, such as `model` or `permissions.defaultMode`, in our own file of a source.
 *
 * @param text JSON, or plain text where the key holds one.
 * @throws PawlError `bad_option`: the key is not known, or the value does not fit it or may not come from there;
 * `settings_invalid`, `file_*` as `updateSettings`.
 */
export async function setSetting(
  key: string,
  text: string,
  source: FileSource,
  places: SettingsPlaces,
  findFaults: FindFaults = () => [],
): Promise<UpdatedSettings & { file: string; value: unknown }> {
  const path = pathOf(key);
  const value = valueFrom(key, text);
  const whole = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  const file = await settingsFileOf(source, places);
  const settings = mergeLayers([{ source: `${source}Settings`, place: file, value: whole }]);
  const [fault] = [...settings.warnings, ...findFaults(settings)];
  if (fault !== undefined) throw new PawlError("bad_option", fault);
  return { ...(await updateSettings(file, () => [{ path, value }])), file, value };
}

/** Takes one key out of our own file of a source. */
export async function unsetSetting(
  key: string,
  source: FileSource,
  places: SettingsPlaces,
): Promise<UpdatedSettings & { file: string }> {
  const file = await settingsFileOf(source, places);
  return { ...(await updateSettings(file, () => [{ path: pathParts(key), value: undefined }])), file };
}

/** Dots part keys; what stands behind one in an object of free keys, such as `enabledPlugins.a@b.c`, is one key. */
function pathParts(key: string): string[] {
  const parts = key.split(".");
  for (let depth = 1; depth < parts.length; depth++) {
    if (typeof schemaAt(parts.slice(0, depth))?.additionalProperties !== "object") continue;
    return [...parts.slice(0, depth), parts.slice(depth).join(".")];
  }
  return parts;
}

function pathOf(key: string): string[] {
  const path = pathParts(key);
  if (path.every((part) => part !== "") && schemaAt(path) !== undefined) return path;
  const { suggestion } = suggestionFor(path.at(-1) ?? "");
  const hint =
    suggestion === undefined
      ? `there are ${Object.keys(settingsSchema.properties ?? {}).join(", ")}`
      : `do you mean ${suggestion}?`;
  throw new PawlError("bad_option", `${key} is no setting; ${hint}`);
}

function valueFrom(key: string, text: string): unknown {
  const schema = schemaAt(pathOf(key));
  const types = [schema?.type ?? []].flat();
  if (types.length === 1 && types[0] === "string") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (types.includes("string")) return text;
    const example = JSON.stringify(
      schema?.examples?.[0] ?? (types[0] === "array" ? [schema?.items?.examples?.[0] ?? ""] : {}),
    );
    throw new PawlError("bad_option", `${key} takes JSON, such as '${example}', and ${JSON.stringify(text)} is none`, {
      cause,
    });
  }
}
