import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import { messageOf, systemCode } from "../lib/error.ts";
import { gitRootOf } from "./git-root.ts";

export const LOCAL_FILE = "settings.local.json";
const PATTERN = `**/.pawl/${LOCAL_FILE}`;

/** Tells the repository around a new local file, and no other, to leave it out. @returns what to say about it. */
export async function keepOutOfGit(file: string): Promise<string[]> {
  const root = await gitRootOf(dirname(dirname(file)));
  if (root === undefined) return [];
  if (root.gitFolder === undefined) return [`${file} is not kept out of git: add ${PATTERN} to .gitignore`];
  const exclude = join(root.gitFolder, "info", "exclude");
  try {
    const before = await textOf(exclude);
    if (before.split(/\r?\n/).includes(PATTERN)) return [];
    const end = before === "" || before.endsWith("\n") ? "" : "\n";
    await atomicWrite(exclude, Buffer.from(`${before}${end}${PATTERN}\n`));
    return [`${file} is kept out of git, by a line in ${exclude}`];
  } catch (error) {
    return [`${file} is not kept out of git: ${messageOf(error)}`];
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}
