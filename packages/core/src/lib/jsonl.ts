/** Reads JSON Lines from bytes, whatever has happened to them: what can be read is given, what cannot is named. */

/** A longer line is skipped, never held in memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

/** Places of a damaged line at which a record is looked for. */
const MAX_SALVAGE_STARTS = 20;

export type JsonLine = {
  /** From 1. */
  line: number;
  /** One of a sound line; of a damaged one what could be saved, maybe nothing. */
  values: readonly unknown[];
  damage?: LineDamage;
};

/** `torn`: the last line, without its end. */
export type LineDamage = "not_json" | "nul_bytes" | "too_long" | "torn";

/** Blank lines are left out. Never throws for content. */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<JsonLine> {
  const current = lineBuffer(maxLineBytes);
  let line = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      current.add(chunk.subarray(start, end));
      start = end + 1;
      line++;
      const read = current.take(line);
      if (read !== undefined) yield read;
    }
    current.add(chunk.subarray(start));
  }
  const last = current.take(line + 1);
  if (last !== undefined) yield last.damage === "not_json" ? { ...last, damage: "torn" } : last;
}

const NEWLINE = 0x0a;

function lineBuffer(maxLineBytes: number) {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(piece: Uint8Array): void {
      bytes += piece.length;
      if (bytes > maxLineBytes) pieces = [];
      else if (piece.length > 0) pieces.push(piece);
    },
    take(line: number): JsonLine | undefined {
      const isTooLong = bytes > maxLineBytes;
      const text = textOf(pieces);
      pieces = [];
      bytes = 0;
      return isTooLong ? { line, values: [], damage: "too_long" } : readLine(line, text);
    },
  };
}

function textOf(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  if (first === undefined) return "";
  if (pieces.length > 1) return Buffer.concat(pieces).toString("utf8");
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString("utf8");
}

function readLine(line: number, raw: string): JsonLine | undefined {
  const text = line === 1 && raw.startsWith("\uFEFF") ? raw.slice(1) : raw;
  if (text.trim() === "") return undefined;
  const parsed = parse(text);
  if (parsed !== undefined) return { line, values: [parsed.value] };
  const withoutNuls = text.includes("\0") ? text.replaceAll("\0", "") : undefined;
  if (withoutNuls !== undefined) {
    const saved = parse(withoutNuls);
    if (saved !== undefined || withoutNuls.trim() === "") {
      return { line, values: saved === undefined ? [] : [saved.value], damage: "nul_bytes" };
    }
  }
  return { line, values: salvage(withoutNuls ?? text), damage: "not_json" };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the caller says what is wrong with the line
  }
}

/** Whole objects inside a line that is none: two writers in one line, or a record after a torn one. */
function salvage(text: string): unknown[] {
  const values: unknown[] = [];
  let at = 0;
  for (let starts = 0; starts < MAX_SALVAGE_STARTS; starts++) {
    const start = text.indexOf('{"', at);
    if (start < 0) break;
    const end = objectEnd(text, start);
    const parsed = end === undefined ? undefined : parse(text.slice(start, end));
    if (parsed !== undefined) values.push(parsed.value);
    at = parsed !== undefined && end !== undefined ? end : start + 2;
  }
  return values;
}

/** The place after the bracket that closes the one at `start`. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
