import type { SettingSource, Settings, Sourced } from "@pawl/core";

/** One thing that is set, where it comes from. */
export type Entry = {
  key: string;
  value: unknown;
  source: SettingSource;
  place?: string;
  /** It cannot be used; `pawl doctor` says why. */
  isLeftOut?: true;
};

/** The settings as a list: each rule and variable apart, so that each has its own source. */
export function entriesOf(
  { permissions, env, model, apiKeyHelper, other }: Settings,
  unusedRules: readonly Sourced<string>[] = [],
): Entry[] {
  const lists = (["allow", "ask", "deny", "additionalDirectories"] as const).flatMap((list) =>
    permissions[list].map((sourced) => ({
      ...entry(`permissions.${list}`, sourced),
      ...(unusedRules.includes(sourced) ? { isLeftOut: true as const } : {}),
    })),
  );
  const single = { "permissions.defaultMode": permissions.defaultMode, model, apiKeyHelper };
  return [
    ...lists,
    ...Object.entries(single).flatMap(([key, sourced]) => (sourced === undefined ? [] : [entry(key, sourced)])),
    ...Object.entries(env).map(([name, sourced]) => entry(`env.${name}`, sourced)),
    ...Object.entries(other).flatMap(([key, { parts, ...sourced }]) =>
      (parts ?? [sourced]).map((part) => entry(key, part)),
    ),
  ];
}

const entry = (key: string, { value, source, place }: Sourced<unknown>): Entry => ({
  key,
  value,
  source,
  ...(place === undefined ? {} : { place }),
});

/** What a key is set to, undefined when it is not. `permissions`, `env` and parts of objects such as `sandbox.enabled` too. */
export function valueAt(settings: Settings, key: string): unknown {
  return Object.hasOwn(settings.other, key) ? settings.other[key]?.value : within(plain(settings), key.split("."));
}

function plain({ permissions, env, model, apiKeyHelper, other }: Settings): Record<string, unknown> {
  const { defaultMode, ...lists } = permissions;
  const values = (sourced: readonly Sourced<unknown>[]) => sourced.map(({ value }) => value);
  const held = Object.entries(lists).filter(([, list]) => list.length > 0);
  const inPermissions = Object.entries(other).filter(([key]) => key.startsWith("permissions."));
  const allowed = {
    ...Object.fromEntries(held.map(([name, list]) => [name, values(list)])),
    ...(defaultMode === undefined ? {} : { defaultMode: defaultMode.value }),
    ...Object.fromEntries(inPermissions.map(([key, { value }]) => [key.slice("permissions.".length), value])),
  };
  const variables = Object.fromEntries(Object.entries(env).map(([name, { value }]) => [name, value]));
  return {
    ...Object.fromEntries(Object.entries(other).map(([key, { value }]) => [key, value])),
    ...(Object.keys(allowed).length === 0 ? {} : { permissions: allowed }),
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
    ...(model === undefined ? {} : { model: model.value }),
    ...(apiKeyHelper === undefined ? {} : { apiKeyHelper: apiKeyHelper.value }),
  };
}

/** A key may itself hold dots, as in `enabledPlugins.a@b.c`. */
function within(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const entries = new Map<string, unknown>(Object.entries(value));
  if (entries.has(key)) return within(entries.get(key), rest);
  const [next, ...more] = rest;
  return next === undefined ? undefined : within(value, [`${key}.${next}`, ...more]);
}
