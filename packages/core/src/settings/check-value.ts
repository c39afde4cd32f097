import type { JsonPath } from "./json-tree.ts";
import { type Schema, schemaAt, schemaOfKey } from "./schema.ts";

/** What is wrong at a path, and what to write there. */
export type Fault = { path: JsonPath; text: string };

/**
 * A copy of the value at `path` of the settings without what does not fit the schema: of lists and objects the entries that
 * do not, otherwise all of it, which gives undefined. What the schema does not name is kept.
 */
export function checkValue(value: unknown, path: JsonPath, faults: Fault[]): unknown {
  return checked(value, schemaAt(path), path, faults);
}

function checked(value: unknown, schema: Schema | undefined, path: JsonPath, faults: Fault[]): unknown {
  if (schema === undefined) return structuredClone(value);
  const fault = faultOf(value, schema);
  if (fault !== undefined) {
    faults.push({ path, text: `${nameOf(path)} is ${fault}` });
    return undefined;
  }
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown, at) => checked(entry, schema.items, [...path, at], faults));
    return entries.filter((entry) => entry !== undefined);
  }
  return isObject(value) ? checkedEntries(value, schema, path, faults) : value;
}

function checkedEntries(value: Record<string, unknown>, schema: Schema, path: JsonPath, faults: Fault[]): unknown {
  const entries = Object.entries(value).map(([key, entry]) => {
    const inner = [...path, key];
    if (schema.additionalProperties !== false || Object.hasOwn(schema.properties ?? {}, key)) {
      return [key, checked(entry, schemaOfKey(schema, key), inner, faults)] as const;
    }
    const names = Object.keys(schema.properties ?? {}).join(", ");
    faults.push({ path: inner, text: `${nameOf(inner)} is not known; there are ${names}` });
    return [key, undefined] as const;
  });
  const kept = entries.filter(([, entry]) => entry !== undefined);
  const missing = schema.required?.find((key) => !kept.some(([name]) => name === key));
  if (missing === undefined) return Object.fromEntries(kept);
  faults.push({ path, text: `${nameOf(path)} has no ${missing}; write ${kindFor(schema)}` });
  return undefined;
}

function faultOf(value: unknown, schema: Schema): string | undefined {
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return `${kindOf(value)}; write ${kindFor(schema, value)}`;
  }
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) {
    return `${JSON.stringify(value)}; write ${schema.enum.length > 1 ? "one of " : ""}${schema.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  }
  if (typeof value === "string" && value.trim().length < (schema.minLength ?? 0)) {
    return `empty; write ${kindFor(schema)}`;
  }
  if (typeof value !== "number") return undefined;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum) return `${value}; write at least ${minimum}`;
  return value > maximum ? `${value}; write at most ${maximum}` : undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

/** What to write: `a text, such as "sonnet"`. */
function kindFor(schema: Schema, wrong?: unknown): string {
  const kind = [schema.type ?? []].flat().map((type) => kinds[type] ?? type);
  const example = exampleOf(schema, wrong);
  const isSaid = kind.includes("true or false") || example === undefined;
  return kind.join(" or ") + (isSaid ? "" : `, such as ${spaced(example)}`);
}

function exampleOf(schema: Schema, wrong: unknown): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === "array") return schema.items === undefined ? [] : [exampleOf(schema.items, undefined) ?? ""];
  const isPlain = typeof wrong === "number" || typeof wrong === "boolean";
  return schema.type === "string" ? (isPlain ? String(wrong) : "text") : undefined;
}

/** JSON on one line, with the blanks that people write. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/([{[]) | ([}\]])/g, "$1$2");

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** `permissions.allow[1]` */
export const nameOf = (path: JsonPath): string =>
  path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every text in a value, however deep. */
export function textsWithin(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsWithin) : [];
}
