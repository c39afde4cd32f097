import { dirname } from "node:path/posix";
import { pathIn } from "../shell/analysis/directories.ts";
import { isKnown } from "../shell/analysis/shell-word.ts";
import { namedProgram, type SimpleCommand } from "../shell/analysis/simple-command.ts";
import type { PermissionContext } from "./context.ts";
import { placeOf } from "./place.ts";
import { isWithin } from "./platform.ts";

/** `git -C src log` as what it is: `git log` in another folder. */
export function gitInItsFolder(command: SimpleCommand): SimpleCommand {
  const [git, option, folder, ...rest] = command.words;
  const isElsewhere = namedProgram(command) === "git" && option?.value === "-C" && isKnown(option);
  if (!isElsewhere || git === undefined || folder === undefined || !isKnown(folder)) return command;
  if (folder.value === "" || folder.extendedAt !== undefined) return command;
  const inFolder = (from: string | undefined) => (from === undefined ? undefined : pathIn(from, folder.value));
  return { ...command, words: [git, ...rest], directories: command.directories.map(inFolder) };
}

/**
 * Whether git obeys the same settings in a folder below the current one as here: none on the way begins a repository of its own,
 * be it a bare one.
 */
export async function isSameRepository(directory: string | undefined, context: PermissionContext): Promise<boolean> {
  if (directory === undefined) return false;
  const { lexical, real, platform } = await placeOf(directory, context);
  const [here, ...others] = (await placeOf(".", context)).real;
  const [folder] = real;
  if (here === undefined || folder === undefined || others.length > 0 || platform === "win32") return false;
  if (real.length > 1 || !isWithin(lexical, context.cwd, platform) || !isWithin(folder, here, platform)) return false;
  try {
    for (let each = folder; each !== here; each = dirname(each)) {
      if (!isWithin(each, here, platform)) return false;
      for (const sign of [".git", "HEAD"])
        if ((await context.files.stat(`${each}/${sign}`)) !== undefined) return false;
    }
    return true;
  } catch {
    return false; // it cannot be looked at
  }
}
