import { basename, dirname, join } from "node:path";
import { findName, similarPaths } from "../../files/find-name.ts";
import type { ToolContext } from "../tool.ts";
import { fileMissing } from "./file-result.ts";

type Access = Pick<ToolContext, "files" | "readAccess">;

const verdictOn = async (path: string, { readAccess }: Access) => (await readAccess?.decide(path)) ?? "allow";

/** The file itself, or the one whose name looks the same: that one only when the rules let it be read without asking. */
export async function existingPath(path: string, access: Access): Promise<string | undefined> {
  if ((await access.files.stat(path)) !== undefined) return path;
  const found = await findName(path, access.files);
  return found === undefined || (await verdictOn(found, access)) === "allow" ? found : undefined;
}

/** What the model is told of a path where nothing is, with what may have been meant. */
export async function missingFile(path: string, context: Access & { cwd: string }): Promise<string> {
  const { cwd, files } = context;
  const target = await files.realPath(path);
  const isLink = target !== join(await files.realPath(dirname(path)), basename(path));
  const what = isLink ? `${path} is a link to ${target}, which does not exist.` : `${path} does not exist.`;
  return `${fileMissing(cwd)}\n${what}${await meantInstead(path, context)}`;
}

/** A question with the paths that may have been meant, after a blank; empty when there are none. */
export async function meantInstead(path: string, access: Access): Promise<string> {
  const meant = await suggestions(path, access);
  return meant.length === 0 ? "" : ` Did you mean ${meant.join(" or ")}?`;
}

/** Names of files that may be read; also that of the one that looks the same, when the user would be asked about it. */
async function suggestions(path: string, access: Access): Promise<string[]> {
  const same = await findName(path, access.files);
  if (same !== undefined && same !== path) return (await verdictOn(same, access)) === "deny" ? [] : [same];
  const readable: string[] = [];
  for (const candidate of await similarPaths(path, access.files)) {
    // A link that leads nowhere has the very name.
    if (candidate !== path && (await verdictOn(candidate, access)) === "allow") readable.push(candidate);
  }
  return readable;
}

/** Why no file is made at a path where nothing is: it, or a folder on the way to it, would stand beside one that looks the same. */
export async function lookAlike(path: string, access: Access): Promise<string | undefined> {
  const parent = dirname(path);
  if (parent === path || (await access.files.stat(path)) !== undefined) return undefined;
  const above = await lookAlike(parent, access);
  if (above !== undefined) return above;
  const found = await findName(path, access.files);
  if (found === undefined || found === path || (await verdictOn(found, access)) === "deny") return undefined;
  return `There is ${found} already, whose name looks the same as ${path} but has other characters. Give that exact name, or one that looks different.`;
}
