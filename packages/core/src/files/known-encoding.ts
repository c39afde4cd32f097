import { PawlError } from "../lib/error.ts";
import type { DecodedText } from "./foreign-text.ts";

/**
 * Throws PawlError `file_encoding` when `added` needs to know the encoding of a file and that is in doubt: what is there can be
 * kept without knowing, new characters cannot be written without.
 */
export function requireKnownEncoding(path: string, { encoding, doubt }: DecodedText, added: string): void {
  if (doubt === undefined || PLAIN.test(added)) return;
  throw new PawlError(
    "file_encoding",
    `${path} may be a file in ${encoding} or in ${doubt}: it holds too little text to tell. Text beyond ASCII is not added to it. Convert it to UTF-8 first: iconv -f ${encoding} -t UTF-8`,
  );
}

/** ASCII has the same bytes in every encoding that is guessed. */
const PLAIN = /^[\x00-\x7f]*$/;
