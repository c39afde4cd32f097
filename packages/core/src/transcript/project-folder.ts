import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PawlError, systemCode } from "../lib/error.ts";
import { modifiedMs } from "./modified.ts";
import { checkSessionId, projectFolderName, projectsFolder } from "./paths.ts";

/**
 * Which folder belongs to which directory. Two directories can share a public folder name (`my.app`, `my-app`), so each
 * folder records its directory's real path and a second directory gets a folder of its own.
 */

/** Where a session's file is, or will be. */
export type SessionPlace = {
  sessionId: string;
  /** Absolute. */
  file: string;
  /** Of a new session: the directory that its folder is for. */
  project?: { configHome: string; realCwd: string };
};

const RECORD = "project.json";

/** @throws PawlError `bad_option` for an id that is not a UUID, `session_in_use` when it is taken in this directory. */
export async function placeNewSession(options: {
  configHome: string;
  /** Absolute, links resolved. */
  realCwd: string;
  sessionId: string;
}): Promise<SessionPlace> {
  const { configHome, realCwd, sessionId } = options;
  checkSessionId(sessionId);
  const file = join(await folderOf(configHome, realCwd), `${sessionId}.jsonl`);
  if ((await modifiedMs(file)) !== undefined) {
    throw new PawlError("session_in_use", `Session ID ${sessionId} is already in use.`);
  }
  return { sessionId, file, project: { configHome, realCwd } };
}

/** The folders that may hold a directory's sessions: its own first. */
export function candidateFolders(configHome: string, realCwd: string): readonly [string, string] {
  const base = join(projectsFolder(configHome), projectFolderName(realCwd));
  const suffix = createHash("sha256").update(realCwd.normalize("NFC")).digest("hex").slice(0, 8);
  return [base, `${base}-${suffix}`];
}

/** Makes the folder of a place and records whose it is. Gives the place anew: another directory may have come first. */
export async function claimFolder(place: SessionPlace): Promise<SessionPlace> {
  if (place.project === undefined) return place;
  const { configHome, realCwd } = place.project;
  for (const folder of candidateFolders(configHome, realCwd)) {
    if (await claim(folder, realCwd)) return { ...place, file: join(folder, `${place.sessionId}.jsonl`) };
  }
  throw new PawlError(
    "transcript_write",
    `${candidateFolders(configHome, realCwd)[1]}: belongs to another directory than ${realCwd}; remove its ${RECORD}`,
  );
}

/** The directory that a folder is for; undefined when it has not been recorded. */
export async function recordedPath(folder: string): Promise<string | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, RECORD), "utf8"));
    if (typeof record !== "object" || record === null || !("path" in record)) return undefined;
    return typeof record.path === "string" ? record.path : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== undefined) return undefined; // as good as no record
    throw error;
  }
}

async function folderOf(configHome: string, realCwd: string): Promise<string> {
  const [base, own] = candidateFolders(configHome, realCwd);
  const recorded = await recordedPath(base);
  return recorded === undefined || recorded === realCwd ? base : own;
}

async function claim(folder: string, realCwd: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(folder, RECORD), `${JSON.stringify({ path: realCwd })}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    const recorded = await recordedPath(folder);
    return recorded === undefined || recorded === realCwd;
  }
}
