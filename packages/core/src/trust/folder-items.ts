import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { FolderItem } from "./folder-item.ts";
import { gitPrograms } from "./git-programs.ts";
import type { GitUser } from "./git-user-config.ts";
import { namedScripts } from "./named-scripts.ts";

type Place = { cwd: string; root: string; files: Pick<WorkspaceFiles, "stat">; user?: GitUser };

/** What is configured, with what of the folder it leads to: what git would start, and the files that commands name. */
export async function withWhatItNames(
  configured: readonly FolderItem[],
  { cwd, root, files, user }: Place,
): Promise<FolderItem[]> {
  const all = [...configured, ...(await gitPrograms(cwd, files, user))];
  return [...all, ...(await namedScripts(all, cwd, root))];
}
