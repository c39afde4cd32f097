import { PawlError } from "../lib/error.ts";

export const BYTE_ORDER_MARK = "\uFEFF";

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

  function decode(bytes: Uint8Array, options: { stream: boolean }): string {
    if (isFirst) refuseForeign(path, bytes);
    try {
      const text = decoder.decode(bytes, options);
      if (!isFirst || text === "") return text;
      isFirst = false;
      hasBom = text.startsWith(BYTE_ORDER_MARK);
      return hasBom ? text.slice(1) : text;
    } catch (error) {
      throw refusedText(path, "it has bytes that UTF-8 does not allow", error);
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

/** Throws PawlError `file_encoding` when `text` holds half of a character, which no byte sequence can stand for. */
export function encodeUtf8(path: string, text: string): Buffer {
  if (!text.isWellFormed()) {
    throw new PawlError(
      "file_encoding",
      `The text for ${path} holds half of a character (a lone surrogate), which cannot be written. Send whole characters.`,
    );
  }
  return Buffer.from(text, "utf8");
}

function refuseForeign(path: string, bytes: Uint8Array): void {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) throw refusedText(path, "it begins with a UTF-16LE byte order mark");
  if (first === 0xfe && second === 0xff) throw refusedText(path, "it begins with a UTF-16BE byte order mark");
  const nul = bytes.subarray(0, BINARY_CHECK_BYTES).indexOf(0);
  if (nul !== -1) throw refusedText(path, `byte ${nul} is NUL, as in binary data or UTF-16`);
}

export function refusedText(path: string, found: string, cause?: unknown): PawlError {
  return new PawlError(
    "file_encoding",
    `${path} is no text that can be read: ${found}. It is refused, so that nothing in it is damaged. If it is text, convert it first: iconv -f ENCODING -t UTF-8`,
    { cause },
  );
}
