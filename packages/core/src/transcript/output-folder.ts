import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, PawlError } from "../lib/error.ts";

const MAX_NAME_CHARS = 80;
const HASH_CHARS = 16;

/**
 * Stores an output whole and gives its absolute path. The name is made safe; the same text is stored once.
 *
 * @throws PawlError `transcript_write`.
 */
export async function storeIn(folder: string, name: string, text: string): Promise<string> {
  const ending = `-${createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS)}.txt`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const stored = (await readdir(folder)).find((file) => file.endsWith(ending));
    if (stored !== undefined) return join(folder, stored);
    const path = join(folder, `${safeName(name)}${ending}`);
    const unfinished = `${path}.${randomBytes(6).toString("hex")}.new`;
    await writeFile(unfinished, text, { flag: "wx", mode: 0o600 });
    await rename(unfinished, path);
    return path;
  } catch (error) {
    throw new PawlError("transcript_write", `${folder}: cannot store the output "${name}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const safeName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, MAX_NAME_CHARS) || "output";
