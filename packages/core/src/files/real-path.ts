import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";
import { fileError, requireUsablePath } from "./file-error.ts";

/** As many dangling links are followed one after the other. */
const MAX_LINKS = 40;

/**
 * Where `path` really leads, every link followed, also a dangling one. What is not there yet is added to the real path of
 * its nearest existing ancestor. Throws PawlError `file_io` for a loop of links.
 */
export async function realPath(path: string): Promise<string> {
  requireUsablePath(path);
  return resolveLinks(path, MAX_LINKS);
}

async function resolveLinks(path: string, linksLeft: number): Promise<string> {
  const existing = await realPathOfExisting(path);
  if (existing !== undefined) return existing;
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await resolveLinks(parent, linksLeft);
  const here = join(realParent, basename(path));
  const target = await linkTarget(here);
  if (target === undefined) return here;
  if (linksLeft === 0) throw new PawlError("file_io", `${path} leads through more than ${MAX_LINKS} symbolic links.`);
  // Not normalised: in `link/..` the link is followed first.
  return resolveLinks(isAbsolute(target) ? target : realParent + sep + target, linksLeft - 1);
}

async function realPathOfExisting(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, path);
  }
}

/** Where the link at `path` points, or undefined when there is no link. */
export async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error) || systemCode(error) === "EINVAL") return undefined;
    throw fileError(error, path);
  }
}

export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
