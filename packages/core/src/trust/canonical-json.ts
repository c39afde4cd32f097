import { isObject } from "../settings/check-value.ts";

/** Nothing that is understood here is nested deeper; hostile files are. */
const MAX_DEPTH = 100;

/** JSON in which the order of keys makes no difference. What is nested too deeply is the same, whatever it holds. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value, MAX_DEPTH)) ?? "null";
}

function canonical(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "(nested too deeply)";
  if (Array.isArray(value)) return value.map((part) => canonical(part, depth - 1));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, canonical(part, depth - 1)] as const);
  return Object.fromEntries(parts.sort(([one], [other]) => (one < other ? -1 : 1)));
}
