import { realPath } from "../files/real-path.ts";
import { messageOf } from "../lib/error.ts";
import type { SettingsLayer } from "./merge-layers.ts";
import { type BrokenSettings, type ParsedSettings, parseSettings, salvaged } from "./parse-settings.ts";
import { type FileSource, type SettingFile, type SettingsPlaces, settingFiles } from "./setting-files.ts";
import { notUtf8, readSettingsText } from "./settings-text.ts";

export type LayerOptions = SettingsPlaces & {
  /** Files that count; default all. Those of the machine's policy always do. */
  sources?: readonly FileSource[];
  /** Of the command line or the embedding program: stronger than all files but the policy's. */
  flag?: SettingsLayer;
  /** A policy of the embedding program; that of the machine is stronger. */
  managed?: Readonly<Record<string, unknown>>;
};

type ReadLayers = {
  /** The weakest first. */
  layers: SettingsLayer[];
  warnings: string[];
  /** Every file that was looked for. */
  files: ReadFile[];
};

/** `repeated`: it is a file that another source has named already. */
export type ReadFile = SettingFile & { state: "read" | "broken" | "missing" | "repeated" };

/** What a file said when it could be read, for when it no longer can. */
type LastGood = (path: string) => SettingsLayer | undefined;

/** Reads all settings there are. Never throws: a file that cannot be used is left out with a warning. */
export async function readLayers(options: LayerOptions, lastGood: LastGood = () => undefined): Promise<ReadLayers> {
  const { files, warnings } = await settingFiles(options, options.sources);
  const read = new Reading(warnings, lastGood);
  for (const file of files) if (file.source !== "policySettings") await read.addOnce(file);
  if (options.flag !== undefined) read.layers.push(options.flag);
  const { managed } = options;
  if (managed !== undefined) read.layers.push({ source: "policySettings", place: "managedSettings", value: managed });
  for (const file of files) if (file.source === "policySettings") await read.add(file);
  return { layers: read.layers, warnings: read.warnings, files: read.files };
}

class Reading {
  readonly layers: SettingsLayer[] = [];
  readonly warnings: string[];
  readonly files: ReadFile[] = [];
  readonly #seen = new Set<string>();
  readonly #lastGood: LastGood;

  constructor(warnings: readonly string[], lastGood: LastGood) {
    this.warnings = [...warnings];
    this.#lastGood = lastGood;
  }

  /** A file that two sources name, as with the home folder as start directory, counts for the weaker, which is the person's own. */
  async addOnce(file: SettingFile): Promise<void> {
    const real = await realPathIfAny(file.path);
    if (this.#seen.has(real)) return void this.files.push({ ...file, state: "repeated" });
    this.#seen.add(real);
    await this.add(file);
  }

  async add({ source, path }: SettingFile): Promise<void> {
    const found = await readSettingsFile(path);
    const state = found === undefined ? "missing" : found.type === "whole" ? "read" : "broken";
    this.files.push({ source, path, state });
    if (found?.type === "whole") {
      this.warnings.push(...found.warnings);
      this.layers.push({ source, place: path, value: found.value, text: found.text });
    } else if (found !== undefined) this.#addBroken({ source, path }, found);
  }

  #addBroken({ source, path }: SettingFile, { fault, value }: BrokenSettings): void {
    const before = this.#lastGood(path);
    if (before !== undefined) {
      this.warnings.push(`${fault}; what the file said before stays in force until it is mended`);
      this.layers.push(before);
    } else if (value !== undefined) {
      this.warnings.push(`${fault}; of the file only the deny and ask rules that can be told are used`);
      this.layers.push({ source, place: path, value });
    } else this.warnings.push(`${fault}; the whole file is left out`);
  }
}

type FoundFile = (Extract<ParsedSettings, { type: "whole" }> & { text: string }) | BrokenSettings;

/** Undefined when there is no such file. */
async function readSettingsFile(path: string): Promise<FoundFile | undefined> {
  try {
    const found = await readSettingsText(path);
    if (found === undefined) return undefined;
    if (found.badLine !== undefined) return salvaged(found.text, notUtf8(path, found.badLine));
    const parsed = parseSettings(found.text, path);
    return parsed.type === "whole" ? { ...parsed, text: found.text } : parsed;
  } catch (error) {
    return { type: "broken", value: undefined, fault: messageOf(error).replace(/\.$/, "") };
  }
}

/** What cannot be followed is told of when the file is read. */
async function realPathIfAny(path: string): Promise<string> {
  try {
    return await realPath(path);
  } catch {
    return path;
  }
}
