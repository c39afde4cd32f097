import { PawlError } from "../lib/error.ts";
import { blanks, marks, skip, token } from "./json-tokens.ts";

/** Nobody writes settings so deep, and what walks them must not run out of stack. */
const MAX_DEPTH = 100;

/** Parses strict JSON. Throws PawlError `settings_invalid` that names file, line and column of the first fault. */
export function parseJson(text: string, file: string): unknown {
  const source = text.slice(skip(marks, text, 0));
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new PawlError("settings_invalid", faultText(source, file), { cause });
  }
  const at = tooDeepAt(source);
  if (at === undefined) return value;
  throw new PawlError(
    "settings_invalid",
    `${placeAt(source, at, file)}: lists and objects within each other are more than ${MAX_DEPTH} deep; take some out`,
  );
}

/** Where the text first goes too deep. */
function tooDeepAt(source: string): number | undefined {
  let depth = 0;
  for (const { 0: found, index } of source.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if ((found === "[" || found === "{") && ++depth > MAX_DEPTH) return index;
    if (found === "]" || found === "}") depth--;
  }
  return undefined;
}

function faultText(source: string, file: string): string {
  const at = faultOffset(source);
  return `${placeAt(source, at, file)}: not valid JSON: ${hint(source, at)}`;
}

/** File, line and column, both from 1. */
function placeAt(source: string, at: number, file: string): string {
  const before = source.slice(0, at);
  return `${file}:${before.split("\n").length}:${at - before.lastIndexOf("\n")}`;
}

function hint(source: string, at: number): string {
  if (at >= source.length) return "it ends too early; close every string, list and object";
  const found = source.slice(at, at + 2);
  if (found === "//" || found === "/*") return "comments are not allowed; remove this one";
  if (/[}\]]/.test(found.charAt(0)) && /,\s*$/.test(source.slice(0, at))) return "remove the comma before this bracket";
  return `unexpected ${JSON.stringify(source.charAt(at))}; strings and keys need double quotes, and entries a comma between them`;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

/** Where strict JSON stops being so; the length of the text when only its end is missing. */
function faultOffset(source: string): number {
  const open: string[] = [];
  let expected: Expected = "value";
  for (let at = skip(blanks, source, 0); at < source.length; ) {
    const end = skip(token, source, at);
    const next: Expected | undefined = end === at ? undefined : after(source.slice(at, end), expected, open);
    if (next === undefined) return isOpenString(source, at) ? source.length : at;
    if (next === ", or end" && open.length === 0) return skip(blanks, source, end);
    expected = next;
    at = skip(blanks, source, end);
  }
  return source.length;
}

/** What may follow a token, or undefined when the token itself may not stand here. Keeps the stack of open brackets. */
function after(found: string, expected: Expected, open: string[]): Expected | undefined {
  const isKey = expected === "key" || expected === "key or }";
  const isValue = expected === "value" || expected === "value or ]";
  switch (found) {
    case "{":
    case "[":
      if (!isValue) return undefined;
      open.push(found);
      return found === "{" ? "key or }" : "value or ]";
    case "}":
    case "]": {
      const closes = found === "}" ? "{" : "[";
      const isEmpty = expected === (found === "}" ? "key or }" : "value or ]");
      if (open.at(-1) !== closes || !(isEmpty || expected === ", or end")) return undefined;
      open.pop();
      return ", or end";
    }
    case ",":
      if (expected !== ", or end") return undefined;
      return open.at(-1) === "{" ? "key" : "value";
    case ":":
      return expected === ":" ? "value" : undefined;
    default:
      if (isKey) return found.startsWith('"') ? ":" : undefined;
      return isValue ? ", or end" : undefined;
  }
}

const isOpenString = (source: string, at: number) => source[at] === '"' && !/["\n]/.test(source.slice(at + 1));
