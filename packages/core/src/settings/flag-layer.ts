import { resolve } from "node:path";
import { messageOf, PawlError } from "../lib/error.ts";
import { isObject, kindOf } from "./check-value.ts";
import type { SettingsLayer } from "./merge-layers.ts";
import { parseJson } from "./parse-json.ts";
import { MAX_SETTINGS_BYTES, readUtf8Settings } from "./settings-text.ts";

const FLAG = "--settings";

/**
 * The settings of one run: a file (relative to `cwd`), JSON text, or the object itself.
 *
 * @throws PawlError `settings_invalid`: what was asked for by name is not passed over.
 */
export async function flagLayer(settings: string | object, cwd: string): Promise<SettingsLayer> {
  if (typeof settings === "object") return layer(FLAG, structuredClone(settings));
  if (settings.trim() === "") throw invalid(`${FLAG} is empty; give a file, or JSON such as '{"model": "sonnet"}'`);
  if (!settings.trimStart().startsWith("{")) return fileLayer(resolve(cwd, settings));
  if (Buffer.byteLength(settings) > MAX_SETTINGS_BYTES) {
    throw invalid(`${FLAG} has more than ${MAX_SETTINGS_BYTES} bytes; shorten it`);
  }
  return layer(FLAG, parseJson(settings, FLAG), settings);
}

async function fileLayer(path: string): Promise<SettingsLayer> {
  try {
    const found = await readUtf8Settings(path);
    if (found === undefined) throw invalid(`there is no file ${path}`);
    return layer(path, parseJson(found.text, path), found.text);
  } catch (error) {
    throw invalid(`${FLAG}: ${messageOf(error)}`, error);
  }
}

function layer(place: string, value: unknown, text?: string): SettingsLayer {
  if (!isObject(value)) throw invalid(`${place}: is ${kindOf(value)}; give one object, such as {"model": "sonnet"}`);
  return { source: "flagSettings", place, value, ...(text === undefined ? {} : { text }) };
}

const invalid = (message: string, cause?: unknown) =>
  new PawlError("settings_invalid", message, cause === undefined ? {} : { cause });
