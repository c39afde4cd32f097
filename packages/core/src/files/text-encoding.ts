import { PawlError } from "../lib/error.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** A NUL among so many first bytes means that the file is no text in UTF-8. Bytes. */
const BINARY_CHECK_BYTES = 8_000;

/**
 * Decodes the UTF-8 bytes of the file at `path`, given piece by piece, and hides the byte order mark.
 *
 * Strict: what it accepts comes back byte for byte from `encodeText`. Throws PawlError `file_encoding` for anything else.
 */
export function textDecoder(path: string) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let isFirst = true;
  let hasBom = false;
  let latest: Uint8Array = new Uint8Array();

  function decode(bytes: Uint8Array, options: { stream: boolean }): string {
    if (bytes.length > 0) latest = bytes;
    if (isFirst) refuseForeign(path, bytes);
    try {
      const text = decoder.decode(bytes, options);
      if (!isFirst || text === "") return text;
      isFirst = false;
      hasBom = text.startsWith(BYTE_ORDER_MARK);
      return hasBom ? text.slice(1) : text;
    } catch (error) {
      throw refused(path, `it has bytes that UTF-8 does not allow and ${guessedEncoding(latest)}`, error);
    }
  }

  return {
    push: (bytes: Uint8Array): string => decode(bytes, { stream: true }),
    /** What was left, and whether the text began with a byte order mark. */
    end: (): { text: string; hasBom: boolean } => ({ text: decode(new Uint8Array(), { stream: false }), hasBom }),
  };
}

/** The whole of a file. */
export function decodeText(path: string, bytes: Uint8Array): { text: string; hasBom: boolean } {
  const decoder = textDecoder(path);
  const text = decoder.push(bytes);
  const rest = decoder.end();
  return { text: text + rest.text, hasBom: rest.hasBom };
}

/** UTF-8. Throws PawlError `file_encoding` when `text` holds half of a character, which no byte sequence can stand for. */
export function encodeText(path: string, text: string, hasBom: boolean): Buffer {
  if (!text.isWellFormed()) {
    throw new PawlError(
      "file_encoding",
      `The text for ${path} holds half of a character (a lone surrogate), which cannot be written. Send whole characters.`,
    );
  }
  return Buffer.from(hasBom ? BYTE_ORDER_MARK + text : text, "utf8");
}

function refuseForeign(path: string, bytes: Uint8Array): void {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) throw refused(path, "it begins with a UTF-16LE byte order mark");
  if (first === 0xfe && second === 0xff) throw refused(path, "it begins with a UTF-16BE byte order mark");
  const nul = bytes.subarray(0, BINARY_CHECK_BYTES).indexOf(0);
  if (nul !== -1) throw refused(path, `byte ${nul} is NUL, as in binary data or UTF-16`);
}

/** Single accented letters between plain ones speak for a one-byte encoding, runs of high bytes for a multi-byte one. */
function guessedEncoding(bytes: Uint8Array): string {
  let high = 0;
  let single = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    high++;
    if ((bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) single++;
  }
  return single * 2 > high
    ? "looks like ISO-8859-1 or Windows-1252"
    : "looks like a multi-byte encoding such as GBK or Shift-JIS, or like damaged UTF-8";
}

function refused(path: string, found: string, cause?: unknown): PawlError {
  return new PawlError(
    "file_encoding",
    `${path} is not UTF-8 text: ${found}. It is refused, so that nothing in it is damaged. If it is text, convert it first: iconv -f ENCODING -t UTF-8`,
    { cause },
  );
}
