import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { systemCode } from "../lib/error.ts";

/** A `.git` file holds one line with a path, and a submodule's configuration is short. Bytes. */
const MAX_LINK_BYTES = 64 * 1024;

/** Where a repository's files are: its folder, and for a worktree that of the main checkout. Absolute. */
type GitRoot = {
  /** The folder with `.git` in it. */
  root: string;
  /** The main checkout of a worktree; otherwise `root`. */
  mainRoot: string;
  /** The repository's own folder, such as `mainRoot/.git`; undefined when it lies elsewhere and does not own to this one. */
  gitFolder: string | undefined;
};

/** The repository around a folder, found by looking at files: no process is started. Undefined outside of one. */
export async function gitRootOf(folder: string): Promise<GitRoot | undefined> {
  for (let root = folder; ; root = dirname(root)) {
    const link = join(root, ".git");
    const found = await kindOf(link);
    if (found === "folder") return { root, mainRoot: root, gitFolder: link };
    if (found === "file") return linkedRoot(root, link);
    if (dirname(root) === root) return undefined;
  }
}

/** Anybody can write a `.git` file that names a repository of others: it counts when that one names this folder too. */
async function linkedRoot(root: string, link: string): Promise<GitRoot> {
  const named = /^gitdir: (.+)$/m.exec(await textOf(link))?.[1]?.trim();
  if (named === undefined) return { root, mainRoot: root, gitFolder: undefined };
  const folder = resolve(root, named);
  const back = (await textOf(join(folder, "gitdir"))).trim();
  const common = (await textOf(join(folder, "commondir"))).trim();
  if (common !== "" && isAbsolute(back) && (await isSame(back, link))) {
    const gitFolder = resolve(folder, common);
    return { root, mainRoot: basename(gitFolder) === ".git" ? dirname(gitFolder) : root, gitFolder };
  }
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(await textOf(join(folder, "config")))?.[1]?.trim();
  const isSubmodule = worktree !== undefined && (await isSame(resolve(folder, worktree), root));
  return { root, mainRoot: root, gitFolder: isSubmodule ? folder : undefined };
}

async function kindOf(path: string): Promise<"folder" | "file" | undefined> {
  try {
    const stats = await stat(path);
    return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // what cannot be looked at is no repository for us
  }
}

/** Empty when there is no such file, or none that can hold a path. */
async function textOf(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MAX_LINK_BYTES ? await readFile(path, "utf8") : "";
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  try {
    return (await realpath(one)) === (await realpath(other));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
