import { dirname, relative } from "node:path";
import { isInside } from "../lib/is-inside.ts";
import { gitRootOf } from "../settings/git-root.ts";
import type { FolderRoots } from "./folder-item.ts";

/** What is trusted as one: a repository in all its worktrees, or a folder outside of repositories. */
export type TrustFolder = FolderRoots & {
  /** The start directory, relative to `root`. It has settings of its own, so each is consented to apart. */
  start: string;
};

/**
 * The folder whose trust counts in `cwd`: the root of the repository, else `cwd` itself. Trust in a folder says nothing of
 * those below it that are no part of its repository, and a repository around the home folder is none of a project.
 * `cwd` and `home` are absolute, links resolved.
 */
export async function trustFolderOf(cwd: string, home: string): Promise<TrustFolder> {
  const found = await gitRootOf(cwd);
  if (
    found === undefined ||
    isInside(home, found.root) ||
    isInside(home, found.mainRoot) ||
    dirname(found.root) === found.root
  )
    return { root: cwd, mainRoot: cwd, start: "." };
  const { root, mainRoot } = found;
  return { root, mainRoot, start: relative(root, cwd) || "." };
}
