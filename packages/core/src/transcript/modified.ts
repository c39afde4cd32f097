import { stat } from "node:fs/promises";
import { systemCode } from "../lib/error.ts";

/** When a regular file was last written; undefined when there is none. Other failures are thrown. */
export async function modifiedMs(path: string): Promise<number | undefined> {
  try {
    const about = await stat(path);
    return about.isFile() ? about.mtimeMs : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
