import { PawlError } from "../lib/error.ts";
import { binarySign, isMostlyBroken } from "./binary-sign.ts";
import { encodeEscaped, escapedByte } from "./escaped-bytes.ts";
import { type GuessedEncoding, guessEncoding, readCharacterOf } from "./guess-encoding.ts";
import { BYTE_ORDER_MARK, encodeUtf8, refusedText } from "./text-encoding.ts";
import { decodeUtf16, encodeUtf16, type Utf16, utf16Of } from "./utf16.ts";

/** How the text of a file lies in its bytes. Bytes that stand for no character in it are kept as `escaped-bytes.ts` says. */
export type TextEncoding = ByteEncoding | Utf16;
type ByteEncoding = GuessedEncoding | "iso-8859-1" | "gb18030";

/** `doubt`: an encoding that the bytes may be in just as well. */
export type DecodedText = { text: string; hasBom: boolean; encoding: TextEncoding; doubt?: TextEncoding };

/**
 * Decodes a file that is no plain UTF-8: its encoding is told by its byte order mark, or guessed. `encodeForeign` makes the same
 * bytes of it again, whatever was guessed. Throws PawlError `file_encoding` for binary data.
 */
export async function decodeForeign(path: string, bytes: Buffer): Promise<DecodedText> {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return { ...decodeUtf16(path, bytes, wide), encoding: wide };
  const binary = binarySign(bytes);
  if (binary !== undefined) throw refusedText(path, binary);
  const iconv = await loadIconv();
  const guess = guessEncoding(bytes, iconv.encode);
  const decoded = decodeAs(narrowest(guess.encoding, bytes, iconv), bytes, iconv);
  if (isMostlyBroken(decoded.text)) throw refusedText(path, "its bytes are no text in any encoding that is known here");
  return guess.doubt === undefined ? decoded : { ...decoded, doubt: guess.doubt };
}

/**
 * The bytes of a text in its encoding. Throws PawlError `file_encoding`, with the first character in question, when the encoding
 * has no bytes for it: nothing is ever replaced by something like it.
 */
export async function encodeForeign(path: string, { text, hasBom, encoding }: DecodedText): Promise<Buffer> {
  if (encoding === "utf-16le" || encoding === "utf-16be") return encodeUtf16(text, hasBom, encoding);
  const withMark = hasBom ? BYTE_ORDER_MARK + text : text;
  if (encoding === "utf-8") return encodeEscaped(withMark, (part) => encodeUtf8(path, part));
  const iconv = await loadIconv();
  const bytes = encodeEscaped(text, (part) => iconv.encode(part, encoding));
  // Two characters beside each other may also read as another one, where one of them was a broken byte.
  const again = decodeAs(encoding, bytes, iconv).text;
  if (again !== text) throw unencodable(path, text, again, encoding);
  return bytes;
}

type Iconv = Awaited<ReturnType<typeof loadIconv>>;

/** Only files that are no UTF-8 pay for the tables. */
async function loadIconv() {
  const { default: iconv } = await import("iconv-lite");
  return {
    encode: (text: string, encoding: string): Buffer => iconv.encode(text, encoding),
    decode: (bytes: Uint8Array, encoding: string): string => iconv.decode(bytes, encoding, { stripBOM: false }),
  };
}

/** What is added to a file must be readable where the file was, so the narrower of two encodings is taken. */
function narrowest(guess: GuessedEncoding, bytes: Buffer, iconv: Iconv): ByteEncoding {
  if (guess === "windows-1252") return bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? guess : "iso-8859-1";
  if (guess !== "gbk" || losslessText(guess, bytes, iconv) !== undefined) return guess;
  return losslessText("gb18030", bytes, iconv) === undefined ? guess : "gb18030";
}

/** The text, if it comes back as the same bytes. */
function losslessText(encoding: ByteEncoding, bytes: Buffer, iconv: Iconv): string | undefined {
  const text = iconv.decode(bytes, encoding);
  return iconv.encode(text, encoding).equals(bytes) ? text : undefined;
}

function decodeAs(encoding: ByteEncoding, bytes: Buffer, iconv: Iconv): DecodedText {
  const lossless = encoding === "utf-8" ? undefined : losslessText(encoding, bytes, iconv);
  if (lossless !== undefined) return { text: lossless, hasBom: false, encoding };
  const text = decodeEscaped(encoding, bytes, iconv);
  const hasBom = encoding === "utf-8" && text.startsWith(BYTE_ORDER_MARK);
  return { text: hasBom ? text.slice(1) : text, hasBom, encoding };
}

/** Character by character: what does not come back as the bytes it was is escaped. */
function decodeEscaped(encoding: ByteEncoding, bytes: Buffer, iconv: Iconv): string {
  const readCharacter =
    readCharacterOf[encoding === "gb18030" ? "gbk" : encoding === "iso-8859-1" ? "windows-1252" : encoding];
  const known = new Map<string, string>();
  const decode = (character: Buffer): string =>
    losslessText(encoding, character, iconv) ?? Array.from(character, escapedByte).join("");
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const plain = plainLength(bytes, at);
    text += bytes.toString("latin1", at, at + plain);
    at += plain;
    if (at === bytes.length) break;
    const length = readCharacter(bytes, at)?.bytes ?? 1;
    const character = bytes.subarray(at, at + length);
    const key = character.toString("latin1");
    const found = known.get(key) ?? decode(character);
    known.set(key, found);
    text += found;
    at += length;
  }
  return text;
}

/** How many bytes from `from` on are ASCII. */
function plainLength(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
  return at - from;
}

function unencodable(path: string, text: string, again: string, encoding: TextEncoding): PawlError {
  let at = 0;
  while (text[at] === again[at]) at++;
  const code = text.codePointAt(at) ?? 0;
  const line = text.slice(0, at).split("\n").length;
  const name = `"${String.fromCodePoint(code)}" (U+${code.toString(16).toUpperCase().padStart(4, "0")}, line ${line})`;
  return new PawlError(
    "file_encoding",
    `${path} is a file in ${encoding}, which has no bytes for ${name}. Nothing was written. Use other characters, or convert the file to UTF-8 first: iconv -f ${encoding} -t UTF-8`,
  );
}
