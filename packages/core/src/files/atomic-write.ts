import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { movedError, type OpenFolder, openFolder } from "./open-folder.ts";
import { isMissing, linkTarget, realPath } from "./real-path.ts";
import { hashInFolder, requireRegular, stampOf } from "./regular-file.ts";
import { sweepTempFiles, tempName } from "./temp-files.ts";
import type { FileStamp } from "./workspace-files.ts";

/** Nobody but its owner sees a file while it is written; the mode of the target comes before the rename. */
const PRIVATE_MODE = 0o600;
/** What the umask is taken from. */
const NEW_FILE_MODE = 0o666;

/**
 * `expectedHash`: throws `file_changed` when the bytes on disk are others; null: when there are any.
 * `place`: the real path that is meant, as `realPath` gave it; throws `file_moved` when `path` leads elsewhere by now.
 * `mode`: of a file that is new, otherwise the umask's.
 */
type WriteTerms = { expectedHash?: string | null; place?: string; mode?: number };

/**
 * Replaces the content of the file at `path`, or makes it and its parent folders. A kill at any moment leaves the old or
 * the new bytes, at worst with a `.pawl-*.tmp` beside them, which a later write into that folder removes.
 *
 * Mode is kept, and the owner where the system allows it; a link stays and its target is written. Other hard links keep
 * the old content.
 */
export async function atomicWrite(path: string, bytes: Uint8Array, terms: WriteTerms = {}): Promise<FileStamp> {
  return inItsFolder(path, terms, async (file) => {
    const before = await statsBefore(file);
    const temp = file.folder.at(tempName());
    try {
      const stamp = await writeTemp(temp, bytes, before ?? terms.mode, file.folder);
      // As late as can be: the file may have changed while the temp file was written.
      await requireHash(file, terms.expectedHash);
      await file.folder.verify();
      await rename(temp, file.folder.at(file.name));
      return stamp;
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
  });
}

/** Removes the regular file at `path`. A link is refused: whether it or its target is meant cannot be told. */
export async function removeFile(path: string, terms: WriteTerms & { expectedHash: string }): Promise<void> {
  if ((await linkTarget(path)) !== undefined) {
    throw new PawlError("file_not_regular", `${path} is a link. Remove it, or its target, through Bash.`);
  }
  await inItsFolder(path, terms, async (file) => {
    await statsBefore(file);
    await requireHash(file, terms.expectedHash);
    await file.folder.verify();
    await rm(file.folder.at(file.name));
  });
}

/** The file at the end of all links, in its folder. */
type PlacedFile = { path: string; folder: OpenFolder; name: string };

async function inItsFolder<Result>(
  path: string,
  { place, expectedHash }: WriteTerms,
  work: (file: PlacedFile) => Promise<Result>,
): Promise<Result> {
  requireUsablePath(path);
  try {
    await refuseDanglingLink(path);
    const real = place ?? (await realPath(path));
    // What is expected to be there needs no new folder.
    const folder = await openFolder(dirname(real), typeof expectedHash === "string" ? "fail" : "make");
    try {
      await sweepTempFiles(folder, dirname(real));
      return await work({ path, folder, name: basename(real) });
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (typeof expectedHash === "string" && systemCode(error) === "ENOENT") throw changedError(path, "was removed");
    throw fileError(error, path);
  }
}

async function refuseDanglingLink(path: string): Promise<void> {
  const target = await linkTarget(path);
  if (target === undefined) return;
  try {
    await stat(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new PawlError(
      "file_missing",
      `${path} is a link to ${target}, which does not exist. Make that file, or remove the link.`,
    );
  }
}

async function statsBefore({ path, folder, name }: PlacedFile): Promise<Stats | undefined> {
  try {
    const stats = await lstat(folder.at(name));
    if (stats.isSymbolicLink()) throw movedError(path);
    requireRegular(path, stats);
    // A rename would not ask whether the file itself may be written.
    await access(folder.at(name), constants.W_OK);
    return stats;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function writeTemp(
  temp: string,
  bytes: Uint8Array,
  like: Stats | number | undefined,
  folder: OpenFolder,
): Promise<FileStamp> {
  const handle = await open(temp, "wx", like === undefined ? NEW_FILE_MODE : PRIVATE_MODE);
  try {
    await folder.verify();
    await handle.writeFile(bytes);
    if (typeof like === "number") await handle.chmod(like);
    else if (like !== undefined) await takeOver(handle, like);
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

async function requireHash({ path, folder, name }: PlacedFile, expected: string | null | undefined): Promise<void> {
  if (expected === undefined) return;
  const found = await hashInFolder(path, folder, name);
  if (found === expected) return;
  throw changedError(path, expected === null ? "appeared" : found === null ? "was removed" : "changed");
}

const changedError = (path: string, what: string) =>
  new PawlError("file_changed", `${path} ${what} in the meantime; nothing was written. Read it again.`);
