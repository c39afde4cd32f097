import { readRegularFile } from "../files/regular-file.ts";
import { PawlError } from "../lib/error.ts";

/** The bytes of a file; undefined when there is none, `unreadable` when it is no regular file, too large or not ours to read. */
export async function bytesOf(path: string, maxBytes: number): Promise<Buffer | undefined | "unreadable"> {
  const chunks: Uint8Array[] = [];
  try {
    await readRegularFile(path, { maxBytes }, (bytes) => void chunks.push(bytes));
    return Buffer.concat(chunks);
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return error.code === "file_missing" ? undefined : "unreadable";
  }
}
