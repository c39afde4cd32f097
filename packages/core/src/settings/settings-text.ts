import { isUtf8 } from "node:buffer";
import { readBytes } from "../files/read-bytes.ts";
import { PawlError } from "../lib/error.ts";

/** More is no settings file. Bytes. */
export const MAX_SETTINGS_BYTES = 2 * 1024 * 1024;

type SettingsText = {
  /** Without the byte order mark; what is not UTF-8 shows as the replacement character. */
  text: string;
  hasMark: boolean;
  /** The first line, from 1, that is not UTF-8; undefined when all of them are. */
  badLine: number | undefined;
  /** Hex SHA-256 of the bytes. */
  hash: string;
};

/** The text of a settings file, undefined when there is none. @throws PawlError `file_*`. */
export async function readSettingsText(path: string): Promise<SettingsText | undefined> {
  try {
    const { bytes, hash } = await readBytes(path, { maxBytes: MAX_SETTINGS_BYTES });
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { text: new TextDecoder().decode(bytes), hasMark, badLine: badLineOf(bytes), hash };
  } catch (error) {
    if (error instanceof PawlError && error.code === "file_missing") return undefined;
    throw error;
  }
}

/** @throws PawlError `settings_invalid` for a file that is not UTF-8. */
export async function readUtf8Settings(path: string): Promise<SettingsText | undefined> {
  const found = await readSettingsText(path);
  if (found?.badLine !== undefined) throw new PawlError("settings_invalid", notUtf8(path, found.badLine));
  return found;
}

/** No letter of UTF-8 holds the byte of a line's end. */
function badLineOf(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let line = 1;
  for (let at = 0, end = 0; ; at = end + 1, line++) {
    end = bytes.indexOf(10, at);
    if (end === -1 || !isUtf8(bytes.subarray(at, end))) return line;
  }
}

export const notUtf8 = (path: string, line: number): string => `${path}:${line}: not UTF-8; save it as UTF-8`;
