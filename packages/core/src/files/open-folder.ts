import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";

/**
 * A folder that is held while something in it is read or written, so that a link that takes the place of the folder, or of
 * one above it, leads nowhere else.
 */
export interface OpenFolder {
  /** A path to `name` in this very folder. Of a name that is a link, the link: open with O_NOFOLLOW. */
  at(name: string): string;
  /** Throws `file_moved` when what `at` gives may by now lie elsewhere. On Linux it cannot. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder at the real path `real` without following any link; `missing`: what to do when it is not there.
 *
 * Throws PawlError `file_moved` when a part of the path is a link by now, and the system's error for what else is wrong.
 */
export function openFolder(real: string, missing: "make" | "fail" = "fail"): Promise<OpenFolder> {
  return hasDescriptorPaths() ? openHeld(real, missing) : openWatched(real, missing);
}

export function movedError(path: string): PawlError {
  return new PawlError(
    "file_moved",
    `${path} led to one place when the call was checked and leads to another now: the folder changed between the check and the access. Nothing outside was read or written. Try again.`,
  );
}

let isLinux: boolean | undefined;
/** Whether a path can begin at an open folder, as under Linux with its /proc. */
function hasDescriptorPaths(): boolean {
  isLinux ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return isLinux;
}

/** Linux's flag for a descriptor that is only a place; Node has no name for it. It needs no right to list the folder. */
const O_PATH = 0o10000000;

const heldPath = (handle: FileHandle, name: string) => `/proc/self/fd/${handle.fd}/${name}`;

async function openHeld(real: string, missing: "make" | "fail"): Promise<OpenFolder> {
  const handle = (await openAtOnce(real)) ?? (await openStepwise(real, missing));
  return { at: (name) => heldPath(handle, name), verify: async () => {}, close: () => handle.close() };
}

/** The usual case in one step: the kernel says where the folder is that it has opened. */
async function openAtOnce(real: string): Promise<FileHandle | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(real, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) === real) return handle;
  } catch {
    // The way step by step says what is wrong.
  }
  await handle?.close();
  return undefined;
}

/** From the root, name by name, no link followed. A disk that folds case may spell the opened path in another way. */
async function openStepwise(real: string, missing: "make" | "fail"): Promise<FileHandle> {
  let folder = await open("/", O_PATH);
  for (const name of real.split("/").filter((part) => part !== "")) {
    try {
      if (missing === "make") await makeFolder(heldPath(folder, name));
      const next = await openStep(heldPath(folder, name), real);
      await folder.close();
      folder = next;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

async function openStep(path: string, real: string): Promise<FileHandle> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  const stats = await handle.stat();
  if (stats.isDirectory()) return handle;
  await handle.close();
  throw stats.isSymbolicLink() ? movedError(real) : notAFolder();
}

const notAFolder = () => Object.assign(new Error("not a directory"), { code: "ENOTDIR" });

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** Where paths cannot begin at an open folder: what stands at the path is looked at again by `verify`. */
export async function openWatched(real: string, missing: "make" | "fail"): Promise<OpenFolder> {
  if (missing === "make") await makeWatched(real);
  const opened = await identityOf(real);
  return {
    at: (name) => `${real === "/" ? "" : real}/${name}`,
    async verify() {
      if ((await identityOf(real)) !== opened) throw movedError(real);
    },
    close: async () => {},
  };
}

async function makeWatched(real: string): Promise<void> {
  const parent = dirname(real);
  if (parent === real) return;
  await makeWatched(parent);
  const folder = await openWatched(parent, "fail");
  await makeFolder(folder.at(basename(real)));
  await folder.verify();
}

/** Which folder it is. Throws when a link leads to it. */
async function identityOf(real: string): Promise<string> {
  const stats = await lstat(real, { bigint: true });
  if (stats.isSymbolicLink() || (await realpath(real)) !== real) throw movedError(real);
  if (!stats.isDirectory()) throw notAFolder();
  return `${stats.dev}:${stats.ino}`;
}
