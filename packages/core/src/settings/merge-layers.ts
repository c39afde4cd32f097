import { checkValue, type Fault, isObject, kindOf, nameOf, textsWithin } from "./check-value.ts";
import { combined } from "./combine.ts";
import type { JsonPath } from "./json-tree.ts";
import { LayerLines } from "./layer-lines.ts";
import { keptLists } from "./salvage-rules.ts";
import type { SettingSource, Settings, Sourced } from "./settings.ts";
import { whereOf } from "./where-of.ts";

/** What one file or flag says, not yet looked at. */
export type SettingsLayer = {
  source: SettingSource;
  /** For warnings: the file's absolute path or the flag. */
  place: string;
  value: unknown;
  /** What the value was read from, so that a warning can name the line. */
  text?: string;
};

type Merged = {
  allow: Sourced<string>[];
  ask: Sourced<string>[];
  deny: Sourced<string>[];
  additionalDirectories: Sourced<string>[];
  single: Map<"defaultMode" | "model" | "apiKeyHelper", Sourced<string>>;
  env: Map<string, Sourced<string>>;
  other: Map<string, Sourced<unknown>[]>;
  warnings: string[];
};

/** Lays the layers over each other, the weakest first: lists are joined, objects merged, of single values the last wins. */
export function mergeLayers(layers: readonly SettingsLayer[], warnings: readonly string[] = []): Settings {
  const merged: Merged = {
    allow: [],
    ask: [],
    deny: [],
    additionalDirectories: [],
    single: new Map(),
    env: new Map(),
    other: new Map(),
    warnings: [...warnings],
  };
  for (const layer of layers) addLayer(layer, merged);
  return freeze(settingsOf(merged));
}

function settingsOf({ ask, deny, additionalDirectories, single, env, other, warnings, ...merged }: Merged): Settings {
  const [defaultMode, model, apiKeyHelper] = (["defaultMode", "model", "apiKeyHelper"] as const).map((key) =>
    single.get(key),
  );
  // What only forbids is never taken away.
  const isPolicyAlone = other.get("allowManagedPermissionRulesOnly")?.at(-1)?.value === true;
  const allow = isPolicyAlone ? merged.allow.filter(({ source }) => source === "policySettings") : merged.allow;
  return {
    permissions: { allow, ask, deny, additionalDirectories, ...(defaultMode === undefined ? {} : { defaultMode }) },
    env: Object.fromEntries(env),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyHelper === undefined ? {} : { apiKeyHelper }),
    other: Object.fromEntries([...other].map(([key, parts]) => [key, combined(key, parts)])),
    warnings,
  };
}

function addLayer(layer: SettingsLayer, merged: Merged): void {
  const { value } = layer;
  if (!isObject(value)) {
    const where = whereOf({ ...layer, ...new LayerLines(layer.text).at([]) });
    merged.warnings.push(`${where}: is ${kindOf(value)}; write one object, such as {"model": "sonnet"}`);
    return;
  }
  const add = new LayerEntries(layer, merged);
  for (const [key, entry] of Object.entries(value)) add.key(key, entry);
}

/** A project may be anybody's: what only who runs the program may say. */
const ownersOnly: Readonly<Record<string, string>> = {
  // It runs as a command before anything is asked.
  apiKeyHelper: "put it into your own settings, not a project's",
};

const policyOnly: readonly string[] = [
  ...["allowManagedHooksOnly", "allowManagedMcpServersOnly", "allowManagedPermissionRulesOnly", "allowedMcpServers"],
  ...["claudeMd", "disableSideloadFlags", "strictKnownMarketplaces"],
];

const isOfProject = (source: SettingSource) => source === "projectSettings" || source === "localSettings";

/** Of one file; a person mends one after the other. */
const MAX_WARNINGS = 50;
const MAX_SHOWN_RULES = 5;

/** Puts the entries of one layer where they belong; what does not fit is left out with a warning. */
class LayerEntries {
  readonly #layer: SettingsLayer;
  readonly #merged: Merged;
  readonly #lines: LayerLines;
  #warned = 0;

  constructor(layer: SettingsLayer, merged: Merged) {
    this.#layer = layer;
    this.#merged = merged;
    this.#lines = new LayerLines(layer.text);
  }

  key(key: string, entry: unknown): void {
    const { source } = this.#layer;
    const owners = Object.hasOwn(ownersOnly, key) && isOfProject(source) ? ownersOnly[key] : undefined;
    if (owners !== undefined) this.#warn([key], `${key} is left out; ${owners}`);
    else if (policyOnly.includes(key) && source !== "policySettings") {
      this.#warn([key], `${key} is left out; it counts in the machine's policy only`);
    } else if (key === "permissions") this.#permissions(entry);
    else if (key === "env") this.#env(entry);
    else if (key === "model" || key === "apiKeyHelper") this.#single(key, [key], entry);
    else if (!key.startsWith("$")) this.#other(key, [key], entry);
    this.#misplacedRules(key, entry);
  }

  #permissions(value: unknown): void {
    if (!isObject(value)) return void this.#checked(value, ["permissions"]);
    for (const [key, entry] of Object.entries(value)) {
      const path = ["permissions", key];
      if (key === "deny" || key === "ask") this.#merged[key].push(...this.#kept(path, entry));
      else if (key === "allow" || key === "additionalDirectories") {
        this.#merged[key].push(...this.#texts(path, entry, this.#checked(entry, path)));
      } else if (key === "defaultMode") this.#defaultMode(path, entry);
      else this.#other(`permissions.${key}`, path, entry);
    }
  }

  /** Also from a list that is not quite one: what forbids must not be lost for its form. */
  #kept(path: JsonPath, entry: unknown): Sourced<string>[] {
    const fitting = this.#texts(path, entry, this.#checked(entry, path));
    const known = new Set(fitting.map(({ value }) => value));
    const more = textsWithin(entry).filter((rule) => !known.has(rule));
    if (more.length > 0) {
      const shown = more.slice(0, MAX_SHOWN_RULES).map((rule) => JSON.stringify(rule));
      this.#warn(
        path,
        `${nameOf(path)} is used all the same, with ${shown.join(", ")}${more.length > shown.length ? ", …" : ""}`,
      );
    }
    return [...fitting, ...this.#texts(path, entry, more)];
  }

  #defaultMode(path: JsonPath, entry: unknown): void {
    if (entry === "auto" && isOfProject(this.#layer.source)) {
      this.#warn(path, `${nameOf(path)} "auto" is left out; put it into your own settings, not a project's`);
    } else this.#single("defaultMode", path, entry);
  }

  #single(key: "defaultMode" | "model" | "apiKeyHelper", path: JsonPath, entry: unknown): void {
    const value = this.#checked(entry, path);
    if (typeof value === "string") this.#merged.single.set(key, this.#sourced(value, path));
  }

  #env(value: unknown): void {
    if (!isObject(value)) return void this.#checked(value, ["env"]);
    for (const [name, entry] of Object.entries(value)) {
      const path = ["env", name];
      if (!/^[A-Za-z_]\w*$/.test(name)) {
        this.#warn(path, `env has the name "${name}"; use letters, digits and _ only`);
        continue;
      }
      const variable = this.#checked(entry, path);
      if (typeof variable === "string") this.#merged.env.set(name, this.#sourced(variable, path));
    }
  }

  #other(name: string, path: JsonPath, entry: unknown): void {
    const value = this.#checked(entry, path);
    if (value === undefined || isEmptied(value, entry)) return;
    const parts = this.#merged.other.get(name) ?? [];
    this.#merged.other.set(name, [...parts, this.#sourced(value, path)]);
  }

  /** A slip of the pen must not switch rules off without a word. */
  #misplacedRules(key: string, entry: unknown): void {
    const isList = keptLists.some((list) => list === key) && Array.isArray(entry);
    const holdsLists = key !== "permissions" && isObject(entry) && keptLists.some((list) => Array.isArray(entry[list]));
    if (isList) this.#warn([key], `${key} has no effect here; put it into "permissions"`);
    else if (holdsLists) this.#warn([key], `${key} holds permission rules that have no effect; name it "permissions"`);
  }

  /** The texts of `kept`, each with the line where the file's list, as written, has it first, or with the list's own. */
  #texts(path: JsonPath, written: unknown, kept: unknown): Sourced<string>[] {
    const list: unknown[] = Array.isArray(written) ? written : [];
    const places = new Map(list.map((text, at) => [text, at] as const).reverse());
    const entries: unknown[] = Array.isArray(kept) ? kept : [];
    return entries.flatMap((entry) => {
      if (typeof entry !== "string") return [];
      const at = places.get(entry);
      return [this.#sourced(entry, at === undefined ? path : [...path, at])];
    });
  }

  #checked(value: unknown, path: JsonPath): unknown {
    const faults: Fault[] = [];
    const kept = checkValue(value, path, faults);
    for (const fault of faults) this.#warn(fault.path, fault.text);
    return kept;
  }

  #sourced<T>(value: T, path: JsonPath): Sourced<T> {
    const { source, place } = this.#layer;
    return { value, source, place, ...this.#lines.at(path) };
  }

  #warn(path: JsonPath, text: string): void {
    const { place } = this.#layer;
    if (++this.#warned > MAX_WARNINGS) return;
    if (this.#warned === MAX_WARNINGS) return void this.#merged.warnings.push(`${place}: there is more wrong with it`);
    this.#merged.warnings.push(`${whereOf({ ...this.#layer, ...this.#lines.at(path) })}: ${text}`);
  }
}

/** An object of which nothing fits says nothing. A list says that there is nothing, and may forbid by it. */
const isEmptied = (kept: unknown, written: unknown): boolean =>
  isObject(kept) && isObject(written) && Object.keys(kept).length === 0 && Object.keys(written).length > 0;

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
