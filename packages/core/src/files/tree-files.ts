import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { PawlError } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";
import { listFolder } from "./list-folder.ts";
import { readHead } from "./read-bytes.ts";
import { isMissing } from "./real-path.ts";
import { stampOf } from "./regular-file.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** As many links are followed in one path, as systems do. */
const MAX_LINKS = 40;
/** No system takes a longer path. Characters. */
const MAX_PATH_CHARS = 32_767;
export type TreeOptions = {
  /** Names with the same key are names of the same file; default: the name itself. */
  keyOf?: (name: string) => string;
  /** What a link holds, as a path with `/`; default: as it is. */
  readTarget?: (target: string) => string;
};

type TreeFiles = Pick<WorkspaceFiles, "realPath" | "stat" | "list" | "readHead">;

type Found = { path: string; onDisk: string; stats: Stats | undefined };

/**
 * A folder tree as if it were the whole disk: `/a/b` is `<root>/a/b`, links are followed inside, `..` ends at its root, and
 * nothing outside is looked at. `root` is absolute. It only looks, and waits for the disk: for
 * programs that have nothing else to do.
 */
export function treeFiles(root: string, options: TreeOptions = {}): TreeFiles {
  const find = (path: string) => {
    requireUsablePath(path);
    if (path.length > MAX_PATH_CHARS) throw new PawlError("file_path", "The path is longer than any system takes.");
    try {
      return walk(root, path, options);
    } catch (error) {
      throw fileError(error, path);
    }
  };
  return {
    realPath: async (path) => find(path).path,
    async stat(path) {
      const { stats } = find(path);
      return stats && { ...stampOf(stats), isDirectory: stats.isDirectory(), isRegular: stats.isFile() };
    },
    async list(path, maxEntries) {
      const { onDisk, stats } = find(path);
      return stats?.isDirectory() === true ? listFolder(onDisk, maxEntries) : undefined;
    },
    readHead: async (path, { signal, headBytes }) => readHead(find(path).onDisk, { signal }, headBytes),
  };
}

/** Goes along the path name by name. What is not there is added as it is written. */
function walk(root: string, path: string, options: TreeOptions): Found {
  const { readTarget = (target) => target } = options;
  const ahead = path.split("/").reverse();
  const names: string[] = [];
  let existing = 0; // how many of the names are there
  let links = 0;
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      names.pop();
      existing = Math.min(existing, names.length);
      continue;
    }
    const entry = existing === names.length ? entryIn(pathOf(root, names), name, options) : undefined;
    if (entry?.target !== undefined) {
      if (++links > MAX_LINKS) throw loop(path);
      const target = readTarget(entry.target);
      if (target.startsWith("/")) names.length = 0;
      existing = names.length;
      ahead.push(...target.split("/").reverse());
      continue;
    }
    names.push(entry?.name ?? name);
    if (entry !== undefined) existing++;
  }
  const onDisk = pathOf(root, names);
  const stats = existing === names.length ? lstatSync(onDisk) : undefined;
  return { path: `/${names.join("/")}`, onDisk, stats };
}

const pathOf = (root: string, names: readonly string[]) => [root === "/" ? "" : root, ...names].join("/") || "/";

const loop = (path: string) =>
  new PawlError("file_path", `${path} leads through more than ${MAX_LINKS} symbolic links. Remove one of the links.`);

/** What a folder holds under a name, or under one that means the same file. */
function entryIn(folder: string, name: string, { keyOf }: TreeOptions): { name: string; target?: string } | undefined {
  const target = linkOrFile(`${folder}/${name}`);
  if (target !== undefined) return { name, ...target };
  if (keyOf === undefined) return undefined;
  const key = keyOf(name);
  const same = namesIn(folder).find((each) => keyOf(each) === key);
  return same === undefined ? undefined : { name: same, ...linkOrFile(`${folder}/${same}`) };
}

function linkOrFile(path: string): { target?: string } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isSymbolicLink() ? { target: readlinkSync(path) } : {};
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
