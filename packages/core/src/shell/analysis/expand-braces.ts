/** More words from one than this, and it is left unexpanded. */
const MAX_WORDS = 100;

/**
 * The words that brace expansion makes of one, each still with its quotes. Undefined: more than `MAX_WORDS`, or braces
 * that are not plainly a list or a range.
 */
export function expandBraces(source: string): string[] | undefined {
  const open = findBrace(source);
  if (open === undefined) return [source];
  const close = closingBrace(source, open);
  if (close === undefined) return undefined;
  const before = source.slice(0, open);
  const alternatives = alternativesOf(source.slice(open + 1, close));
  const rests = expandBraces(source.slice(close + 1));
  if (alternatives === undefined || rests === undefined || alternatives.length * rests.length > MAX_WORDS)
    return undefined;
  return alternatives.flatMap((alternative) => rests.map((rest) => before + alternative + rest));
}

function alternativesOf(inner: string): string[] | undefined {
  const parts = splitAtCommas(inner);
  if (parts.length === 1) return rangeOf(inner);
  const words: string[] = [];
  for (const part of parts) {
    const expanded = expandBraces(part);
    if (expanded === undefined || words.length + expanded.length > MAX_WORDS) return undefined;
    words.push(...expanded);
  }
  return words;
}

/** `1..5`: no leading zeros and no step, which shells read differently. */
function rangeOf(inner: string): string[] | undefined {
  const [, first, last] = /^(-?[1-9]\d{0,5}|0)\.\.(-?[1-9]\d{0,5}|0)$/.exec(inner) ?? [];
  const from = first === undefined ? letterCode(inner[0]) : Number(first);
  const to = last === undefined ? letterCode(inner[3]) : Number(last);
  const isRange = first !== undefined || /^(?:[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])$/.test(inner);
  if (!isRange || Math.abs(to - from) >= MAX_WORDS) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => {
    const value = from + at * step;
    return first === undefined ? String.fromCharCode(value) : String(value);
  });
}

const letterCode = (letter = "") => letter.charCodeAt(0);

function findBrace(source: string): number | undefined {
  return scan(source, 0, (char) => char === "{");
}

function closingBrace(source: string, open: number): number | undefined {
  let depth = 0;
  return scan(source, open, (char) => {
    if (char === "{") depth++;
    return char === "}" && --depth === 0;
  });
}

function splitAtCommas(inner: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  scan(inner, 0, (char, at) => {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth === 0) {
      parts.push(inner.slice(begin, at));
      begin = at + 1;
    }
    return false;
  });
  return [...parts, inner.slice(begin)];
}

/** The index of the first unquoted character that fits. */
function scan(source: string, from: number, fits: (char: string, at: number) => boolean): number | undefined {
  let quote = "";
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (fits(char, at)) return at;
  }
  return undefined;
}
