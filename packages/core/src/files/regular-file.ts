import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { movedError, type OpenFolder, openFolder } from "./open-folder.ts";
import type { FileStamp } from "./workspace-files.ts";

const CHUNK_BYTES = 256 * 1024;

/** `place`: the real path that is meant; throws `file_moved` when the path leads elsewhere by now. */
export type ReadBounds = { signal?: AbortSignal; maxBytes: number; place?: string };

type Take = (bytes: Uint8Array) => void;

/** Gives the bytes of a regular file to `take`, piece by piece. Nothing else is opened: a pipe would wait for ever. */
export async function readRegularFile(path: string, bounds: ReadBounds, take: Take): Promise<FileStamp> {
  requireUsablePath(path);
  requireNotAborted(path, bounds.signal);
  try {
    if (bounds.place === undefined) return await readFollowing(path, bounds, take);
    const folder = await openFolder(dirname(bounds.place));
    try {
      return await readInFolder(path, folder, basename(bounds.place), bounds, take);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

async function readFollowing(path: string, bounds: ReadBounds, take: Take): Promise<FileStamp> {
  // Asked before it is opened, because opening a device can already do something.
  requireRegular(path, await stat(path));
  return readAndClose(path, await open(path, READ_FLAGS), bounds, take);
}

/** O_NONBLOCK: what has become a pipe since it was looked at does not hold us. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

async function readInFolder(
  path: string,
  folder: OpenFolder,
  name: string,
  bounds: ReadBounds,
  take: Take,
): Promise<FileStamp> {
  const stats = await lstat(folder.at(name));
  if (stats.isSymbolicLink()) throw movedError(path);
  requireRegular(path, stats);
  const handle = await open(folder.at(name), READ_FLAGS | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw systemCode(error) === "ELOOP" ? movedError(path) : error;
  });
  try {
    await folder.verify();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return readAndClose(path, handle, bounds, take);
}

async function readAndClose(path: string, handle: FileHandle, bounds: ReadBounds, take: Take): Promise<FileStamp> {
  try {
    return await readOpened(path, handle, bounds, take);
  } finally {
    await handle.close();
  }
}

async function readOpened(
  path: string,
  handle: FileHandle,
  { signal, maxBytes }: ReadBounds,
  take: Take,
): Promise<FileStamp> {
  const stats = await handle.stat();
  requireRegular(path, stats);
  let total = stats.size;
  for (let read = 0; ; ) {
    requireNotAborted(path, signal);
    if (total > maxBytes) {
      throw new PawlError("file_too_large", `${path} has ${total} bytes; at most ${maxBytes} can be read here.`);
    }
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return stampOf(stats);
    take(buffer.subarray(0, bytesRead));
    read += bytesRead;
    total = Math.max(total, read); // A file can grow, and those under /proc say that they have no bytes.
  }
}

export function stampOf(stats: Stats): FileStamp {
  return { mtimeMs: stats.mtimeMs, size: stats.size, mode: stats.mode & 0o7777 };
}

/** Throws unless `stats` are those of a regular file. */
export function requireRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new PawlError("file_is_directory", `${path} is a directory, not a file.`);
  throw new PawlError("file_not_regular", `${path} is ${kindOf(stats)}; only regular files are read and written.`);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isBlockDevice() || stats.isCharacterDevice()) return "a device";
  return "no regular file";
}

function requireNotAborted(path: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new PawlError("aborted", `Reading ${path} was cancelled.`, { cause: signal.reason });
}

/** Hex SHA-256 of a file in an open folder, or null when there is none. `path` is for errors. */
export async function hashInFolder(path: string, folder: OpenFolder, name: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    await readInFolder(path, folder, name, { maxBytes: Number.POSITIVE_INFINITY }, (bytes) => hash.update(bytes));
    return hash.digest("hex");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
