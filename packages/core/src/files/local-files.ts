import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { PawlError } from "../lib/error.ts";
import { atomicWrite } from "./atomic-write.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { sha256 } from "./hash.ts";
import { lineCollector } from "./line-range.ts";
import { listFolder } from "./list-folder.ts";
import { isMissing, realPath } from "./real-path.ts";
import { readRegularFile, stampOf } from "./regular-file.ts";
import { decodeText, encodeText, textDecoder } from "./text-encoding.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The files of this machine. */
export function localFiles(): WorkspaceFiles {
  return {
    async readText(path, bounds) {
      const chunks: Uint8Array[] = [];
      const stamp = await readRegularFile(path, bounds, (bytes) => void chunks.push(bytes));
      const bytes = Buffer.concat(chunks);
      return { ...stamp, ...decodeText(path, bytes), hash: sha256(bytes) };
    },

    async readLines(path, request) {
      const decoder = textDecoder(path);
      const collector = lineCollector(request);
      const hash = createHash("sha256");
      const stamp = await readRegularFile(path, request, (bytes) => {
        hash.update(bytes);
        collector.push(decoder.push(bytes));
      });
      const { text, hasBom } = decoder.end();
      collector.push(text);
      return { ...stamp, ...collector.end(), hash: hash.digest("hex"), hasBom };
    },

    async writeText(path, { text, hasBom, expectedHash }) {
      const bytes = encodeText(path, text, hasBom);
      const stamp = await atomicWrite(path, bytes, expectedHash === undefined ? {} : { expectedHash });
      return { ...stamp, hash: sha256(bytes) };
    },

    async stat(path) {
      requireUsablePath(path);
      try {
        const stats = await stat(path);
        return { ...stampOf(stats), isDirectory: stats.isDirectory() };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw fileError(error, path);
      }
    },

    async hash(path, maxBytes) {
      const hash = createHash("sha256");
      try {
        await readRegularFile(path, { maxBytes }, (bytes) => void hash.update(bytes));
        return hash.digest("hex");
      } catch (error) {
        if (error instanceof PawlError) return error.code === "file_missing" ? null : undefined;
        throw error;
      }
    },

    realPath,
    list: listFolder,
  };
}
