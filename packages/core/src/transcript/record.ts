/** Reads fields of a line, which may hold anything. */

export type RawRecord = { readonly [field: string]: unknown };

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** One of `allowed`, or undefined. */
export function oneOf<const Value extends string>(allowed: readonly Value[], value: unknown): Value | undefined {
  return allowed.find((candidate) => candidate === value);
}

/** The strings of a list; undefined when it is none. */
export function stringsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
}

/** `{ [field]: value }`, or nothing when there is no value. */
export function optional<const Field extends string, Value>(
  field: Field,
  value: Value | undefined,
): { [K in Field]?: Value } {
  if (value === undefined) return {};
  const result: { [K in Field]?: Value } = {};
  result[field] = value;
  return result;
}
