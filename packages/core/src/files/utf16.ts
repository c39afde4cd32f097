import { BYTE_ORDER_MARK, refusedText } from "./text-encoding.ts";

export type Utf16 = "utf-16le" | "utf-16be";

/** Whether the bytes are UTF-16: by the byte order mark, or because zero bytes are the upper halves of plain characters. */
export function utf16Of(bytes: Buffer): Utf16 | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (bytes.length % 2 === 1) return undefined;
  const zeros = zerosByParity(bytes);
  const encoding = zeros.even < zeros.odd ? "utf-16le" : "utf-16be";
  if (Math.max(zeros.even, zeros.odd) <= Math.min(zeros.even, zeros.odd) * CLEARLY_MORE) return undefined;
  return CONTROLS.test(textOf(bytes, encoding)) ? undefined : encoding;
}

/** A few characters have a zero byte below, such as U+4E00; plain ones, of which every text has more, above. */
const CLEARLY_MORE = 3;

function zerosByParity(bytes: Buffer): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) zeros[at % 2 === 0 ? "even" : "odd"]++;
  return zeros;
}

/** What no text holds, but numbers of two bytes do. */
const CONTROLS = /[\x00-\x07\x0e-\x1a\x1c-\x1f\ufffe\uffff]/;

const textOf = (bytes: Buffer, encoding: Utf16) =>
  (encoding === "utf-16le" ? bytes : Buffer.from(bytes).swap16()).toString("utf16le");

export function decodeUtf16(path: string, bytes: Buffer, encoding: Utf16): { text: string; hasBom: boolean } {
  if (bytes.length % 2 === 1) throw refusedText(path, `it begins as ${encoding} and has an odd number of bytes`);
  const text = textOf(bytes, encoding);
  if (text.includes("\0")) throw refusedText(path, "it holds NUL characters, as binary data does");
  const hasBom = text.startsWith(BYTE_ORDER_MARK);
  return { text: hasBom ? text.slice(1) : text, hasBom };
}

export function encodeUtf16(text: string, hasBom: boolean, encoding: Utf16): Buffer {
  const bytes = Buffer.from(hasBom ? BYTE_ORDER_MARK + text : text, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}
