import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { isMissing, linkTarget } from "./real-path.ts";
import { hashRegularFile, requireRegular, stampOf } from "./regular-file.ts";
import type { FileStamp } from "./workspace-files.ts";

/** Nobody but its owner sees a file while it is written; the mode of the target comes before the rename. */
const PRIVATE_MODE = 0o600;
/** What the umask is taken from. */
const NEW_FILE_MODE = 0o666;

/**
 * Replaces the content of the file at `path`, or makes it and its parent folders. A kill at any moment leaves the old or
 * the new bytes, at worst with a `.pawl-*.tmp` beside them.
 *
 * Mode is kept, and the owner where the system allows it; a link stays and its target is written. Other hard links keep
 * the old content. `expectedHash`: throws `file_changed` when the bytes on disk are others; null: when there are any.
 */
export async function atomicWrite(
  path: string,
  bytes: Uint8Array,
  { expectedHash }: { expectedHash?: string | null } = {},
): Promise<FileStamp> {
  requireUsablePath(path);
  try {
    const target = await targetOf(path);
    const before = await statsBefore(target);
    const temp = join(dirname(target), `.pawl-${randomBytes(8).toString("hex")}.tmp`);
    try {
      const stamp = await writeTemp(temp, bytes, before);
      // As late as can be: the file may have changed while the temp file was written.
      if (expectedHash !== undefined) await requireHash(target, expectedHash);
      await rename(temp, target);
      return stamp;
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The file to replace: at the end of all links, its folder there. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const target = await linkTarget(path);
  if (target !== undefined) {
    throw new PawlError(
      "file_missing",
      `${path} is a link to ${target}, which does not exist. Make that file, or remove the link.`,
    );
  }
  await mkdir(dirname(path), { recursive: true });
  return join(await realpath(dirname(path)), basename(path));
}

async function statsBefore(target: string): Promise<Stats | undefined> {
  try {
    const stats = await stat(target);
    requireRegular(target, stats);
    // A rename would not ask whether the file itself may be written.
    await access(target, constants.W_OK);
    return stats;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function writeTemp(temp: string, bytes: Uint8Array, before: Stats | undefined): Promise<FileStamp> {
  const handle = await open(temp, "wx", before === undefined ? NEW_FILE_MODE : PRIVATE_MODE);
  try {
    await handle.writeFile(bytes);
    if (before !== undefined) await takeOver(handle, before);
    await handle.sync();
    return stampOf(await handle.stat());
  } finally {
    await handle.close();
  }
}

async function takeOver(handle: FileHandle, before: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await handle.chown(before.uid, before.gid);
    } catch (error) {
      // Only root may give files away; the new content is then the writer's, as with any editor.
      if (systemCode(error) !== "EPERM") throw error;
    }
  }
  await handle.chmod(before.mode & 0o7777); // after chown, which clears bits
}

async function requireHash(target: string, expected: string | null): Promise<void> {
  const found = await hashRegularFile(target);
  if (found === expected) return;
  const what = expected === null ? "appeared" : found === null ? "was removed" : "changed";
  throw new PawlError("file_changed", `${target} ${what} in the meantime; nothing was written. Read it again.`);
}
