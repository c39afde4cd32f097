import { hasEscaped } from "./escaped-bytes.ts";

/** In a text at most this share of the bytes are control characters, and of the characters such that stand for nothing. */
const BINARY_SHARE = 1 / 100;
const BROKEN_SHARE = 3 / 10;

/** Backspace, tab, line feed, vertical tab, form feed, carriage return, escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([8, 9, 10, 11, 12, 13, 27]);

/** What says that the bytes are no text. */
export function binarySign(bytes: Buffer): string | undefined {
  const nul = bytes.indexOf(0);
  if (nul !== -1) return `byte ${nul} is NUL, as in binary data`;
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) controls++;
  return controls > bytes.length * BINARY_SHARE ? "it is full of control characters, as binary data is" : undefined;
}

/** Whether so many bytes were no characters that the guess of the encoding cannot be right. */
export function isMostlyBroken(text: string): boolean {
  if (text.isWellFormed()) return false;
  let broken = 0;
  for (const character of text) if (hasEscaped(character)) broken++;
  return broken > text.length * BROKEN_SHARE;
}
