import { isUtf8 } from "node:buffer";
import { readBytes } from "../files/read-bytes.ts";
import { PawlError } from "../lib/error.ts";

/** More is no settings file. Bytes. */
export const MAX_SETTINGS_BYTES = 2 * 1024 * 1024;

type SettingsText = {
  /** Without the byte order mark; what is not UTF-8 shows as the replacement character. */
  text: string;
  hasMark: boolean;
  isUtf8: boolean;
  /** Hex SHA-256 of the bytes. */
  hash: string;
};

/** The text of a settings file, undefined when there is none. @throws PawlError `file_*`. */
export async function readSettingsText(path: string): Promise<SettingsText | undefined> {
  try {
    const { bytes, hash } = await readBytes(path, { maxBytes: MAX_SETTINGS_BYTES });
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { text: new TextDecoder().decode(bytes), hasMark, isUtf8: isUtf8(bytes), hash };
  } catch (error) {
    if (error instanceof PawlError && error.code === "file_missing") return undefined;
    throw error;
  }
}

/** @throws PawlError `settings_invalid` for a file that is not UTF-8. */
export async function readUtf8Settings(path: string): Promise<SettingsText | undefined> {
  const found = await readSettingsText(path);
  if (found?.isUtf8 === false) throw new PawlError("settings_invalid", notUtf8(path));
  return found;
}

export const notUtf8 = (path: string): string => `${path}: not UTF-8; save it as UTF-8`;
