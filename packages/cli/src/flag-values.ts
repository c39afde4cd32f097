import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** Each function reads one flag's text; what cannot be meant is refused with the flag, the value and the fix. */
const refuse = (flag: string, value: string, fix: string): never => {
  throw new UsageError(`${flag} ${JSON.stringify(value)}: ${fix}`);
};

export function text(flag: string, value: string): string {
  return value.trim() === "" ? refuse(flag, value, "give a value") : value;
}

export const needsSessionId = "give the id of a session; --continue goes on with this directory's newest";

/** What follows the flag is taken for its value, also when it is the next flag. */
export const sessionId = (flag: string, value: string): string =>
  value.startsWith("-") ? refuse(flag, value, needsSessionId) : text(flag, value);

export function positiveInteger(flag: string, value: string, max = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= max) return number;
  return refuse(flag, value, `give a whole number, 1 ${max === Number.MAX_SAFE_INTEGER ? "or more" : `to ${max}`}`);
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const MAX_DURATION_MS = 24 * 24 * 3_600_000;

/** `90s`, `1.5h`, `1h30m`. Milliseconds. */
export function duration(flag: string, value: string): number {
  const isTime = /^(\d+(\.\d+)?(ms|[smh]))+$/.test(value);
  const parts = isTime ? [...value.matchAll(/([\d.]+)(ms|[smh])/g)] : [];
  const ms = Math.round(
    parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (MS_OF_UNIT[unit] ?? 0), 0),
  );
  return ms >= 1 && ms <= MAX_DURATION_MS
    ? ms
    : refuse(flag, value, "give a time with its unit, such as 90s, 15m or 2h");
}

/** `0.5`, `1e-3` */
export function dollars(flag: string, value: string): number {
  const amount = /^[\d.]+(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  const isAmount = Number.isFinite(amount) && amount > 0;
  return isAmount ? amount : refuse(flag, value, "give an amount in dollars of more than 0, such as 0.50");
}

/** Whether it is a schema, and not only JSON, the engine says. */
export function jsonSchema(flag: string, value: string): object {
  const invalid = (why: string, cause?: unknown) =>
    new UsageError(`${flag} is not a valid JSON Schema: ${why}; give it inline, as in '{"type": "object"}'`, { cause });
  let schema: unknown;
  try {
    schema = JSON.parse(value);
  } catch (error) {
    throw invalid(`it is not JSON (${error instanceof Error ? error.message : error})`, error);
  }
  if (typeof schema === "object" && schema !== null) return schema;
  throw invalid("it is not an object");
}

/** `a, b` */
export function list(flag: string, value: string): string[] {
  const entries = value.split(",").map((entry) => entry.trim());
  return entries.includes("") ? refuse(flag, value, "give names with commas between") : entries;
}

export function oneOf<const Value extends string>(flag: string, value: string, values: readonly Value[]): Value {
  return values.find((each) => each === value) ?? refuse(flag, value, `give one of ${values.join(", ")}`);
}

/** `user,project`; nothing is none. */
export function settingSources(flag: string, value: string): ("user" | "project" | "local")[] {
  if (value.trim() === "") return [];
  return list(flag, value).map((name) => oneOf(flag, name, ["user", "project", "local"]));
}

export function existingDirectory(flag: string, value: string): string {
  const path = resolve(value);
  if (value === "" || !isDirectory(path)) refuse(flag, value, "there is no such directory");
  return path;
}

/** Whatever is wrong with a path, there is no folder at its end. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function uuid(flag: string, value: string): string {
  return UUID.test(value) ? value : refuse(flag, value, "give a UUID, such as one of `uuidgen`");
}

/** Splits `Read, Bash(git log:*) Edit` at commas and spaces outside brackets. A bracket of the rule itself is written `\(`. */
export function rules(flag: string, value: string): string[] {
  const found: string[] = [];
  let rule = "";
  let depth = 0;
  let isEscaped = false;
  for (const character of value) {
    if (character === "(" && !isEscaped) depth++;
    if (character === ")" && !isEscaped) depth--;
    isEscaped = character === "\\" && !isEscaped;
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== "") found.push(rule);
      rule = "";
    } else rule += character;
  }
  if (depth !== 0) refuse(flag, value, "the brackets do not match; write Tool or Tool(rule)");
  return rule === "" ? found : [...found, rule];
}
