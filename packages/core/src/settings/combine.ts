import { isObject } from "./check-value.ts";
import type { Combined, Sourced } from "./settings.ts";

/** Lists that are an order of preference: two of them joined would be nobody's. */
const wholeLists: ReadonlySet<string> = new Set(["fallbackModel", "availableModels"]);

/** One key out of what the layers say of it, the weakest first. */
export function combined(key: string, parts: readonly Sourced<unknown>[]): Combined {
  const [first, ...more] = parts.map(({ value }) => value);
  const value = wholeLists.has(key) ? parts.at(-1)?.value : more.reduce(over, structuredClone(first));
  const { value: _, ...strongest } = parts.at(-1) ?? { value: undefined, source: "userSettings" };
  return { ...strongest, value, parts };
}

/** Objects merged key by key, lists joined, and otherwise the stronger. */
function over(weaker: unknown, stronger: unknown): unknown {
  if (Array.isArray(weaker) && Array.isArray(stronger)) return [...weaker, ...structuredClone(stronger)];
  if (!isObject(weaker) || !isObject(stronger)) return structuredClone(stronger);
  const entries = new Map(Object.entries(weaker));
  for (const [key, value] of Object.entries(stronger))
    entries.set(key, entries.has(key) ? over(entries.get(key), value) : structuredClone(value));
  return Object.fromEntries(entries);
}
