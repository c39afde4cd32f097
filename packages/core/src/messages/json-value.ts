import { isRecord } from "./api-shape.ts";

/** Whether a value can leave as JSON in valid UTF-8, how many bytes it takes, and how to make it so. */

const MAX_JSON_DEPTH = 256;
const TOO_DEEP = `deeper than ${MAX_JSON_DEPTH} levels`;

/** What keeps `value` from being sent, or undefined. */
export function jsonFault(value: unknown): string | undefined {
  return faultIn(value, []);
}

function faultIn(value: unknown, above: object[]): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "a lone surrogate";
  if (typeof value === "bigint") return "a bigint";
  if (typeof value !== "object" || value === null) return undefined;
  if (above.length >= MAX_JSON_DEPTH) return TOO_DEEP;
  if (above.includes(value)) return "a reference to what it stands in";
  above.push(value);
  const fault = firstFault(value, above);
  above.pop();
  return fault;
}

function firstFault(value: object, above: object[]): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultIn(item, above);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const fault = faultIn(key, above) ?? faultIn(item, above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether a value of JSON is nested deeper than can be sent. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_JSON_DEPTH, value);

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}

/** `value` without what `jsonFault` finds; the same object where there was nothing to change. */
export function asJson(value: unknown): unknown {
  return cleaned(value, []);
}

function cleaned(value: unknown, above: object[]): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (above.length >= MAX_JSON_DEPTH) return `[left out: ${TOO_DEEP}]`;
  if (above.includes(value)) return "[left out: refers to what it stands in]";
  above.push(value);
  const result = Array.isArray(value) ? cleanedList(value, above) : cleanedRecord(value, above);
  above.pop();
  return result;
}

function cleanedList(list: readonly unknown[], above: object[]): readonly unknown[] {
  const result = list.map((item) => cleaned(item, above));
  return result.every((item, index) => Object.is(item, list[index])) ? list : result;
}

function cleanedRecord(record: object, above: object[]): object {
  let isChanged = false;
  const entries = Object.entries(record).map(([key, item]) => {
    const entry = [key.toWellFormed(), cleaned(item, above)] as const;
    isChanged ||= entry[0] !== key || !Object.is(entry[1], item);
    return entry;
  });
  return isChanged ? Object.fromEntries(entries) : record;
}

/** UTF-8 bytes of `value` as JSON. Never throws: what JSON cannot hold counts nothing. */
export function jsonBytes(value: unknown): number {
  return bytesOf(value, []);
}

function bytesOf(value: unknown, above: object[]): number {
  if (typeof value === "string") return Buffer.byteLength(JSON.stringify(value));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value).length;
  if (typeof value !== "object" || above.length >= MAX_JSON_DEPTH || above.includes(value)) return 0;
  above.push(value);
  let bytes = 2; // the brackets
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item, above) + 1;
  else for (const [key, item] of Object.entries(value)) bytes += bytesOf(key, above) + bytesOf(item, above) + 2;
  above.pop();
  return bytes;
}

/** A text for the model that says what a value held. Never throws. */
export function jsonText(value: unknown): string {
  return JSON.stringify(asJson(value)) ?? "nothing";
}

/** The object that a text of JSON holds, or undefined. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: no object
  }
}
