/**
 * A byte that stands for no character of a file's encoding is kept in its text as half of a character, U+DC80 to U+DCFF,
 * which no well-formed text holds. So every file can be decoded and encoded again byte for byte, whatever is in it.
 */
const FIRST = 0xdc00;

const ESCAPED = /(?<![\ud800-\udbff])[\udc80-\udcff]+/g;

export const escapedByte = (byte: number) => String.fromCharCode(FIRST + byte);

/** `text` in bytes: what is escaped as the byte it was, all else as `encode` gives it. */
export function encodeEscaped(text: string, encode: (text: string) => Buffer): Buffer {
  if (text.isWellFormed()) return encode(text);
  const parts: Buffer[] = [];
  let done = 0;
  for (const { 0: escaped, index } of text.matchAll(ESCAPED)) {
    parts.push(encode(text.slice(done, index)), Buffer.from(Array.from(escaped, (char) => char.charCodeAt(0) - FIRST)));
    done = index + escaped.length;
  }
  return Buffer.concat([...parts, encode(text.slice(done))]);
}

export const hasEscaped = (text: string) => text.search(ESCAPED) !== -1;
