import { basename, dirname } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import { withFileLock } from "../files/file-lock.ts";
import { realPath } from "../files/real-path.ts";
import { PawlError } from "../lib/error.ts";
import { isObject, kindOf } from "./check-value.ts";
import { editJson, type JsonEdit } from "./edit-json.ts";
import { keepOutOfGit, LOCAL_FILE } from "./git-exclude.ts";
import { parseJson } from "./parse-json.ts";
import { readUtf8Settings } from "./settings-text.ts";

/** Another program, which knows no lock of ours, may change the file between our reading and our writing. */
const MAX_TRIES = 20;

export type UpdatedSettings = {
  isChanged: boolean;
  /** What else was done, for the person to know. */
  notes: readonly string[];
};

/**
 * Changes one of our own settings files, or makes it. Everything that is not changed stays as it is written; processes that
 * write at the same time wait for each other; a kill leaves the old file or the new one.
 *
 * @param change gives the edits for what the file says now; it may be asked again when the file has changed meanwhile.
 * @throws PawlError `settings_invalid` (a broken file is not touched), `file_locked`, `file_*`.
 */
export async function updateSettings(
  file: string,
  change: (before: Readonly<Record<string, unknown>>) => readonly JsonEdit[],
): Promise<UpdatedSettings> {
  const target = await realPath(file);
  for (const path of [file, target]) refuseForeign(path);
  return withFileLock(target, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await update(target, change);
      } catch (error) {
        if (!(error instanceof PawlError && error.code === "file_changed") || attempt === MAX_TRIES) throw error;
      }
    }
  });
}

async function update(
  file: string,
  change: (before: Readonly<Record<string, unknown>>) => readonly JsonEdit[],
): Promise<UpdatedSettings> {
  const before = await readUtf8Settings(file);
  const value = before === undefined || before.text.trim() === "" ? {} : parseJson(before.text, file);
  if (!isObject(value)) {
    throw new PawlError("settings_invalid", `${file}: is ${kindOf(value)}; make it one object, such as {}`);
  }
  const text = editJson(before?.text ?? "", change(value));
  if (text === (before?.text ?? "")) return { isChanged: false, notes: [] };
  // A fault of the edit itself must never reach the disk.
  parseJson(text, file);
  await atomicWrite(file, Buffer.from((before?.hasMark ? "\uFEFF" : "") + text), {
    expectedHash: before?.hash ?? null,
  });
  const isNewLocal = before === undefined && basename(file) === LOCAL_FILE;
  return { isChanged: true, notes: isNewLocal ? await keepOutOfGit(file) : [] };
}

/** Another product's folder is read, never written. */
function refuseForeign(file: string): void {
  if (basename(dirname(file)) !== ".claude") return;
  throw new PawlError("settings_invalid", `${file} is another product's file and only read: write the one under .pawl`);
}
