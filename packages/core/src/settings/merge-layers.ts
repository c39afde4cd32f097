import type { SettingSource, Settings, Sourced } from "./settings.ts";

/** What one file or flag says, not yet looked at. */
export type SettingsLayer = {
  source: SettingSource;
  /** For warnings: the file's path or the flag. */
  place: string;
  value: unknown;
};

type Merged = {
  allow: Sourced<string>[];
  ask: Sourced<string>[];
  deny: Sourced<string>[];
  additionalDirectories: Sourced<string>[];
  defaultMode?: Sourced<string>;
  model?: Sourced<string>;
  apiKeyHelper?: Sourced<string>;
  env: Map<string, Sourced<string>>;
  other: Map<string, Sourced<unknown>>;
  warnings: string[];
};

/** Lays the layers over each other, the weakest first: lists are joined, of single values the last wins. */
export function mergeLayers(layers: readonly SettingsLayer[], warnings: readonly string[] = []): Settings {
  const merged: Merged = {
    allow: [],
    ask: [],
    deny: [],
    additionalDirectories: [],
    env: new Map(),
    other: new Map(),
    warnings: [...warnings],
  };
  for (const layer of layers) addLayer(layer, merged);
  const { allow, ask, deny, additionalDirectories, defaultMode, model, apiKeyHelper } = merged;
  return freeze({
    permissions: { allow, ask, deny, additionalDirectories, ...(defaultMode === undefined ? {} : { defaultMode }) },
    env: Object.fromEntries(merged.env),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyHelper === undefined ? {} : { apiKeyHelper }),
    other: Object.fromEntries(merged.other),
    warnings: merged.warnings,
  });
}

function addLayer(layer: SettingsLayer, merged: Merged): void {
  const { source, place, value } = layer;
  if (!isObject(value)) {
    merged.warnings.push(`${place}: is ${kindOf(value)}; write one object, such as {"model": "sonnet"}`);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (key === "permissions") addPermissions(layer, entry, merged);
    else if (key === "env") addEnv(layer, entry, merged);
    else if (key === "model") {
      const model = text(layer, key, entry, '"sonnet"', merged);
      if (model !== undefined) merged.model = model;
    } else if (key === "apiKeyHelper") addApiKeyHelper(layer, entry, merged);
    else if (!key.startsWith("$")) merged.other.set(key, { value: structuredClone(entry), source });
  }
}

function addPermissions(layer: SettingsLayer, value: unknown, merged: Merged): void {
  if (!isObject(value)) {
    merged.warnings.push(`${layer.place}: permissions is ${kindOf(value)}; write an object, such as {"allow": []}`);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    const name = `permissions.${key}`;
    switch (key) {
      case "allow":
      case "ask":
      case "deny":
        merged[key].push(...texts(layer, name, entry, '"Bash(npm test)"', merged));
        break;
      case "additionalDirectories":
        merged[key].push(...texts(layer, name, entry, '"../shared"', merged));
        break;
      case "defaultMode": {
        const mode = text(layer, name, entry, '"acceptEdits"', merged);
        if (mode !== undefined) merged.defaultMode = mode;
        break;
      }
      default:
        merged.other.set(name, { value: structuredClone(entry), source: layer.source });
    }
  }
}

/** It runs as a command before anything is asked, so only who runs the program may name it. */
function addApiKeyHelper(layer: SettingsLayer, value: unknown, merged: Merged): void {
  if (layer.source === "projectSettings" || layer.source === "localSettings") {
    merged.warnings.push(`${layer.place}: apiKeyHelper is left out; put it into your own settings, not a project's`);
    return;
  }
  const helper = text(layer, "apiKeyHelper", value, '"print-my-key"', merged);
  if (helper !== undefined) merged.apiKeyHelper = helper;
}

function addEnv(layer: SettingsLayer, value: unknown, merged: Merged): void {
  if (!isObject(value)) {
    merged.warnings.push(`${layer.place}: env is ${kindOf(value)}; write an object, such as {"NODE_ENV": "test"}`);
    return;
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      merged.warnings.push(`${layer.place}: env has the name "${name}"; use letters, digits and _ only`);
      continue;
    }
    const variable = text(layer, `env.${name}`, entry, JSON.stringify(String(entry)), merged);
    if (variable !== undefined) merged.env.set(name, variable);
  }
}

function texts(layer: SettingsLayer, key: string, value: unknown, example: string, merged: Merged): Sourced<string>[] {
  if (!Array.isArray(value)) {
    merged.warnings.push(`${layer.place}: ${key} is ${kindOf(value)}; write a list, such as [${example}]`);
    return [];
  }
  return value.flatMap((entry: unknown, at) => text(layer, `${key}[${at}]`, entry, example, merged) ?? []);
}

function text(
  { place, source }: SettingsLayer,
  key: string,
  value: unknown,
  example: string,
  merged: Merged,
): Sourced<string> | undefined {
  if (typeof value === "string") return { value, source };
  merged.warnings.push(`${place}: ${key} is ${kindOf(value)}; write a text, such as ${example}`);
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
