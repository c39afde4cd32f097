import { join } from "node:path";
import { PawlError } from "../lib/error.ts";

/** Where things lie under a config home: names alone, nothing is looked up. */

/** A longer folder name is cut here and gets a hash of the whole path. */
export const MAX_FOLDER_NAME_CHARS = 200;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isSessionId = (text: string): boolean => UUID.test(text);

export function checkSessionId(sessionId: string): void {
  if (isSessionId(sessionId)) return;
  throw new PawlError(
    "bad_option",
    `session id "${sessionId}" is not a UUID; give one such as 3f2b8c1e-5d64-4a7b-9c0d-1e2f3a4b5c6d, or none to get a new one`,
  );
}

export const projectsFolder = (configHome: string): string => join(configHome, "projects");

/** The folder of a directory's sessions. `realCwd` is absolute, links resolved. */
export function projectFolderName(realCwd: string): string {
  const path = realCwd.normalize("NFC");
  const name = path.replace(/[^A-Za-z0-9]/g, "-");
  return name.length <= MAX_FOLDER_NAME_CHARS ? name : `${name.slice(0, MAX_FOLDER_NAME_CHARS)}-${hash32(path)}`;
}

/** Where a session's file is unless two directories share a folder name. */
export function sessionFile(configHome: string, realCwd: string, sessionId: string): string {
  checkSessionId(sessionId);
  return join(projectsFolder(configHome), projectFolderName(realCwd), `${sessionId}.jsonl`);
}

/** What a session keeps beside its file. */
export const sessionFolder = (file: string): string => file.replace(/\.jsonl$/, "");

function hash32(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}
