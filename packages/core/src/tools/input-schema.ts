import { isRecord } from "../messages/api-shape.ts";

/**
 * Checks the input of a built-in tool without a schema library, which would cost each start 40 ms and more.
 * It knows the part of JSON Schema that our own tools use; `unknownKeywords` tells what goes beyond it.
 */

/** More issues than these teach the model nothing new. */
const MAX_ISSUES = 20;
/** Of a wrong value at most this much is shown back. Characters. */
const MAX_SHOWN_CHARS = 80;

type Check = (value: unknown, rule: unknown, path: string) => string[];

/** What a keyword demands of a value that has the right type already. The order is that of the issues. */
const checks: Readonly<Record<string, Check>> = {
  enum: (value, rule, path) => {
    const isListed = !Array.isArray(rule) || rule.includes(value);
    return isListed ? [] : [`The parameter ${quoted(path)} must be one of ${listed(rule)} but is ${shown(value)}`];
  },
  minimum: (value, rule, path) => bound(path, value, rule, "at least", (found, least) => found >= least),
  maximum: (value, rule, path) => bound(path, value, rule, "at most", (found, most) => found <= most),
  maxLength: (value, rule, path) => {
    const characters = typeof value === "string" ? [...value].length : 0;
    if (typeof rule !== "number" || characters <= rule) return [];
    return [`The parameter ${quoted(path)} must have at most ${rule} characters but has ${characters}`];
  },
  minItems: (value, rule, path) => length(path, value, rule, "at least", (found, least) => found >= least),
  maxItems: (value, rule, path) => length(path, value, rule, "at most", (found, most) => found <= most),
};

const structure = ["type", "properties", "required", "additionalProperties", "items"];
const annotations = ["description", "default", "title"];

/**
 * What is wrong with `value` by `schema`, one sentence each in the public wording; none when it is right. Never throws.
 *
 * @param path the name of the value in the sentences, such as `todos[0].status`; empty for the whole input.
 */
export function checkInput(schema: object, value: unknown, path = ""): string[] {
  const rules = asRecord(schema);
  const { type } = rules;
  if (typeof type === "string" && !hasType(value, type)) return [wrongType(path, type, value)];
  const issues: string[] = [];
  if (isRecord(value)) issues.push(...checkProperties(rules, value, path));
  if (Array.isArray(value)) issues.push(...checkItems(rules, value, path));
  for (const [keyword, check] of Object.entries(checks)) {
    if (Object.hasOwn(rules, keyword)) issues.push(...check(value, rules[keyword], path));
  }
  return issues.slice(0, MAX_ISSUES);
}

/** What the model is told; whoever makes the result puts it into its tag. */
export function invalidInputText(tool: string, issues: readonly string[]): string {
  const noun = issues.length === 1 ? "issue" : "issues";
  return [`InputValidationError: ${tool} failed due to the following ${noun}:`, ...issues].join("\n");
}

/** Each keyword in `schema` that `checkInput` would pass over, with its place. */
export function unknownKeywords(schema: object, path = "input"): string[] {
  const known = [...Object.keys(checks), ...structure, ...annotations];
  const unknown = Object.entries(schema).flatMap(([keyword, rule]) =>
    known.includes(keyword) && isUnderstood(keyword, rule) ? [] : [`${path}: ${keyword}`],
  );
  const { properties, items } = asRecord(schema);
  const nested = Object.entries(asRecord(properties)).flatMap(([name, property]) =>
    unknownKeywords(asRecord(property), join(path, name)),
  );
  return [...unknown, ...nested, ...(isRecord(items) ? unknownKeywords(items, `${path}[]`) : [])];
}

function isUnderstood(keyword: string, rule: unknown): boolean {
  if (keyword === "type") return typeof rule === "string" && Object.hasOwn(types, rule);
  if (keyword === "additionalProperties") return typeof rule === "boolean";
  if (keyword === "items") return isRecord(rule);
  if (keyword === "enum")
    return Array.isArray(rule) && rule.every((value) => !isRecord(value) && !Array.isArray(value));
  return true;
}

function checkProperties(rules: Record<string, unknown>, value: Record<string, unknown>, path: string): string[] {
  const properties = asRecord(rules["properties"]);
  const required = Array.isArray(rules["required"]) ? rules["required"] : [];
  const missing = required
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => `The required parameter ${quoted(join(path, name))} is missing`);
  const names = Object.keys(value);
  const unexpected =
    rules["additionalProperties"] === false ? names.filter((name) => !Object.hasOwn(properties, name)) : [];
  return [
    ...missing,
    ...unexpected
      .slice(0, MAX_ISSUES)
      .map((name) => `An unexpected parameter ${quoted(join(path, name))} was provided`),
    ...Object.entries(properties)
      .filter(([name]) => Object.hasOwn(value, name) && value[name] !== undefined)
      .flatMap(([name, property]) => checkInput(asRecord(property), value[name], join(path, name))),
  ];
}

function checkItems(rules: Record<string, unknown>, values: readonly unknown[], path: string): string[] {
  if (!isRecord(rules["items"])) return [];
  const issues: string[] = [];
  for (const [index, value] of values.entries()) {
    issues.push(...checkInput(rules["items"], value, `${path}[${index}]`));
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues;
}

type Compare = (found: number, wanted: number) => boolean;

function bound(path: string, value: unknown, rule: unknown, words: string, isWithin: Compare): string[] {
  if (typeof value !== "number" || typeof rule !== "number" || isWithin(value, rule)) return [];
  return [`The parameter ${quoted(path)} must be ${words} ${rule} but is ${value}`];
}

function length(path: string, value: unknown, rule: unknown, words: string, isWithin: Compare): string[] {
  if (!Array.isArray(value) || typeof rule !== "number" || isWithin(value.length, rule)) return [];
  return [
    `The parameter ${quoted(path)} must have ${words} ${rule} ${rule === 1 ? "item" : "items"} but has ${value.length}`,
  ];
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

const hasType = (value: unknown, type: string) => types[type]?.(value) ?? true;

function wrongType(path: string, expected: string, value: unknown): string {
  const subject = path === "" ? "The input" : `The parameter ${quoted(path)}`;
  return `${subject} type is expected as ${quoted(expected)} but provided as ${quoted(typeName(value))}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

const quoted = (text: string) => `\`${text}\``;

const listed = (values: readonly unknown[]) => values.map(shown).join(", ");

function shown(value: unknown): string {
  if (isRecord(value) || Array.isArray(value)) return quoted(typeName(value));
  const text = String(value);
  return quoted(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : text);
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
