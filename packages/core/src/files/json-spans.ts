/**
 * Where each value of a JSON text lies in it, so that one can be changed and every other keeps its spelling: long numbers,
 * escapes and blanks included.
 */
export type JsonSpan =
  | { type: "object"; from: number; to: number; members: ReadonlyMap<string, JsonSpan> }
  | { type: "array"; from: number; to: number; items: readonly JsonSpan[] }
  | { type: "string" | "other"; from: number; to: number };

/**
 * `text` must be valid JSON, so parse it first. Of a name that occurs twice in an object the last one counts.
 *
 * @param depth of objects and lists inside of each other so many are looked into; deeper ones are passed over, as `other`.
 */
export function jsonSpans(text: string, depth: number): JsonSpan {
  return valueAt(text, skipBlanks(text, 0), depth);
}

function valueAt(text: string, from: number, depth: number): JsonSpan {
  switch (text[from]) {
    case "{":
      return depth > 0 ? objectAt(text, from, depth) : { type: "other", from, to: endOfNested(text, from) };
    case "[":
      return depth > 0 ? arrayAt(text, from, depth) : { type: "other", from, to: endOfNested(text, from) };
    case '"':
      return { type: "string", from, to: endOfString(text, from) };
    default: {
      OTHER.lastIndex = from;
      return { type: "other", from, to: from + (OTHER.exec(text)?.[0].length ?? 0) };
    }
  }
}

const OTHER = /[-+.\w]*/y;
const BLANKS = /[ \t\r\n]*/y;

function skipBlanks(text: string, from: number): number {
  BLANKS.lastIndex = from;
  return from + (BLANKS.exec(text)?.[0].length ?? 0);
}

const MARK = /["{}[\]]/g;

/** After the bracket that closes the one at `from`, however many lie between. */
function endOfNested(text: string, from: number): number {
  let open = 0;
  MARK.lastIndex = from;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === '"') MARK.lastIndex = endOfString(text, mark.index);
    else open += mark[0] === "{" || mark[0] === "[" ? 1 : -1;
    if (open === 0) return MARK.lastIndex;
  }
  return text.length;
}

/** After the quote that no backslash belongs to. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function objectAt(text: string, from: number, depth: number): JsonSpan {
  const members = new Map<string, JsonSpan>();
  let at = skipBlanks(text, from + 1);
  while (text[at] === '"') {
    const end = endOfString(text, at);
    const name: unknown = JSON.parse(text.slice(at, end));
    const value = valueAt(text, skipBlanks(text, skipBlanks(text, end) + 1), depth - 1);
    members.set(String(name), value);
    at = afterComma(text, value.to);
  }
  return { type: "object", from, to: at + 1, members };
}

function arrayAt(text: string, from: number, depth: number): JsonSpan {
  const items: JsonSpan[] = [];
  let at = skipBlanks(text, from + 1);
  while (text[at] !== "]") {
    const item = valueAt(text, at, depth - 1);
    items.push(item);
    at = afterComma(text, item.to);
  }
  return { type: "array", from, to: at + 1, items };
}

/** The next element, or the closing bracket. */
function afterComma(text: string, from: number): number {
  const at = skipBlanks(text, from);
  return text[at] === "," ? skipBlanks(text, at + 1) : at;
}
