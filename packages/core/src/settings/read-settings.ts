import { join } from "node:path";
import { readRegularFile } from "../files/regular-file.ts";
import { decodeText } from "../files/text-encoding.ts";
import { messageOf, PawlError } from "../lib/error.ts";
import { mergeLayers, type SettingsLayer } from "./merge-layers.ts";
import { parseJson } from "./parse-json.ts";
import type { Settings } from "./settings.ts";

const MAX_SETTINGS_BYTES = 2 * 1024 * 1024;

export type SettingsOptions = {
  /** Absolute folder that holds the user's `settings.json`. */
  configHome: string;
  /** Settings given on the command line; they win over the file. */
  flags?: Readonly<Record<string, unknown>>;
};

/** Reads all settings there are. Never throws: a file or an entry that cannot be used is left out with a warning. */
export async function readSettings({ configHome, flags }: SettingsOptions): Promise<Settings> {
  const warnings: string[] = [];
  const layers: SettingsLayer[] = [];
  const file = join(configHome, "settings.json");
  try {
    const value = await readSettingsFile(file);
    if (value !== undefined) layers.push({ source: "userSettings", place: file, value });
  } catch (error) {
    warnings.push(`${messageOf(error)}; the whole file is left out`);
  }
  if (flags !== undefined) layers.push({ source: "flagSettings", place: "--settings", value: flags });
  return mergeLayers(layers, warnings);
}

/** The parsed file, undefined when there is none. Throws PawlError `settings_invalid` with line and column, or `file_*`. */
export async function readSettingsFile(file: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  try {
    await readRegularFile(file, { maxBytes: MAX_SETTINGS_BYTES }, (bytes) => void chunks.push(bytes));
  } catch (error) {
    if (error instanceof PawlError && error.code === "file_missing") return undefined;
    throw error;
  }
  return parseJson(decodeText(file, Buffer.concat(chunks)).text, file);
}
