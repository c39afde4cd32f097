import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { PawlError } from "../lib/error.ts";
import { onFirstCall } from "../lib/on-first-call.ts";
import { atomicWrite, removeFile } from "./atomic-write.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { sha256 } from "./hash.ts";
import { listFolder } from "./list-folder.ts";
import { readBytes, readHead } from "./read-bytes.ts";
import { readTextLines, readWholeText } from "./read-text-file.ts";
import { isMissing, realPath } from "./real-path.ts";
import { readRegularFile, stampOf } from "./regular-file.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

const encodeForeign = onFirstCall(async () => (await import("./foreign-text.ts")).encodeForeign);

/** The files of this machine. */
export function localFiles(): WorkspaceFiles {
  return filesAt(async () => ({}), realPath);
}

/** Each path is followed once and the answer is kept, also a failed one. */
function pinnedFiles(): WorkspaceFiles {
  const pins = new Map<string, Promise<string>>();
  const pinned = (path: string): Promise<string> => {
    const known = pins.get(path);
    if (known !== undefined) return known;
    const followed = realPath(path);
    pins.set(path, followed);
    return followed;
  };
  return filesAt(async (path) => ({ place: await pinned(path) }), pinned);
}

type Placed = { place?: string };

/** `placeOf`: the real path that each path is bound to; without one it leads wherever it leads. */
function filesAt(
  placeOf: (path: string) => Promise<Placed>,
  follow: (path: string) => Promise<string>,
): WorkspaceFiles {
  return {
    readText: async (path, bounds) => readWholeText(path, { ...bounds, ...(await placeOf(path)) }),

    readLines: async (path, request) => readTextLines(path, { ...request, ...(await placeOf(path)) }),

    readBytes: async (path, bounds) => readBytes(path, { ...bounds, ...(await placeOf(path)) }),

    readHead: async (path, { signal, headBytes }) => readHead(path, { signal, ...(await placeOf(path)) }, headBytes),

    async writeText(path, { text, hasBom, encoding = "utf-8", ...terms }) {
      const bytes = await encodeForeign(path, { text, hasBom, encoding });
      const stamp = await atomicWrite(path, bytes, { ...terms, ...(await placeOf(path)) });
      return { ...stamp, hash: sha256(bytes) };
    },

    async remove(path, expectedHash) {
      await removeFile(path, { expectedHash, ...(await placeOf(path)) });
    },

    async stat(path) {
      requireUsablePath(path);
      const { place = path } = await placeOf(path);
      try {
        const stats = await stat(place);
        return { ...stampOf(stats), isDirectory: stats.isDirectory(), isRegular: stats.isFile() };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw fileError(error, path);
      }
    },

    async hash(path, maxBytes) {
      const hash = createHash("sha256");
      try {
        await readRegularFile(path, { maxBytes, ...(await placeOf(path)) }, (bytes) => void hash.update(bytes));
        return hash.digest("hex");
      } catch (error) {
        if (error instanceof PawlError) return error.code === "file_missing" ? null : undefined;
        throw error;
      }
    },

    realPath: follow,
    pinned: pinnedFiles,
    list: listFolder,
  };
}
