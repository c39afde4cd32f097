import { isAbsolute, resolve } from "node:path";
import { messageOf, PawlError } from "../../lib/error.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";

/** Files up to this size are edited and written over. Bytes. */
export const MAX_EDITABLE_BYTES = 10 * 1024 * 1024;

export const NOT_READ = "File has not been read yet. Read it first before writing to it.";
export const MODIFIED_SINCE_READ =
  "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.";
const UNEXPECTEDLY_MODIFIED = "File has been unexpectedly modified. Read it again before attempting to write it.";

/** More may follow: which file, and what may have been meant. */
export const fileMissing = (cwd: string): string =>
  `File does not exist. Note: your current working directory is ${cwd}.`;

/** @throws PawlError `file_*` for what is no regular file: a pipe, a device or a folder is neither read nor written over. */
export async function requireRegularFile(path: string, { files, signal }: ToolContext): Promise<void> {
  await files.readHead(path, { signal, headBytes: 1 });
}

/** The path that a file tool works on: the same by text as the one the permission decision looked at. */
export function absolutePath(filePath: string, cwd: string): string {
  if (/^~(\/|$)/.test(filePath)) {
    // Expanded here, the file would be another than the one that was allowed.
    throw new PawlError(
      "file_path",
      `The path ${filePath} begins with ~, which is not expanded. Give the absolute path.`,
    );
  }
  return isAbsolute(filePath) ? resolve(filePath) : resolve(cwd, filePath);
}

/** Turns what is wrong with a file into a result that tells the model; anything else passes through. */
export async function refusingFileErrors(cwd: string, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PawlError) || !error.code.startsWith("file_")) throw error;
    return refusal(refusalText(error, cwd));
  }
}

function refusalText(error: PawlError, cwd: string): string {
  if (error.code === "file_changed") return UNEXPECTEDLY_MODIFIED;
  if (error.code === "file_missing") {
    return `${fileMissing(cwd)}\n${messageOf(error)}`;
  }
  return messageOf(error);
}
