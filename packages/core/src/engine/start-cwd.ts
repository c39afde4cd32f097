import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { isInside } from "../lib/is-inside.ts";

/** Where a stored session stood, if that is still in one of the session's `directories`; else `cwd`. All are real paths. */
export async function startCwd(
  stored: string | undefined,
  cwd: string,
  directories: readonly string[],
  files: WorkspaceFiles,
): Promise<string> {
  if (stored === undefined || !(await files.stat(stored))?.isDirectory) return cwd;
  const real = await files.realPath(stored);
  return directories.some((directory) => isInside(real, directory)) ? real : cwd;
}
