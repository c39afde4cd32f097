import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PawlError } from "../lib/error.ts";
import { isMissing, modifiedMs } from "./modified.ts";
import { isSessionId, MAX_FOLDER_NAME_CHARS, projectFolderName, projectsFolder } from "./paths.ts";
import { candidateFolders, recordedPath, type SessionPlace } from "./project-folder.ts";

/** As much of a file as is read to tell what session it is. */
const HEAD_BYTES = 64 * 1024;

type SessionQuery = {
  configHome: string;
  /** Absolute, links resolved. */
  cwd: string;
  /** A session id, or the session of this directory that was written last. */
  id: string;
};

/**
 * Where a stored session is: in this directory's folder, else in any other's if it is in exactly one.
 *
 * @throws PawlError `session_not_found`.
 */
export async function findSession({ configHome, cwd, id }: SessionQuery): Promise<SessionPlace> {
  const folders = await foldersOf(configHome, cwd);
  if (id === "newest") {
    const file = await newestIn(folders, cwd);
    if (file === undefined) throw notFound(`No conversation found to continue in ${cwd}`);
    return { sessionId: basename(file, ".jsonl"), file };
  }
  if (!isSessionId(id)) throw notFound(`No conversation found with session ID: ${id}`);
  const own = await filesNamed(id, folders);
  const files = own.length > 0 ? own : await filesNamed(id, await allFolders(configHome));
  const [file] = files;
  if (file === undefined) throw notFound(`No conversation found with session ID: ${id}`);
  if (own.length === 0 && files.length > 1) {
    throw notFound(
      `No conversation found with session ID: ${id} in ${cwd}, and there are ${files.length} of other directories ` +
        `(${files.map(dirname).join(", ")}); run in the directory of the one that is meant`,
    );
  }
  return { sessionId: id, file };
}

const notFound = (message: string): PawlError => new PawlError("session_not_found", message);

/** The folders that hold, or may hold, a directory's sessions. */
async function foldersOf(configHome: string, cwd: string): Promise<string[]> {
  const [base, own] = candidateFolders(configHome, cwd);
  const named = [base, own, ...(await cutAlike(configHome, base))];
  const recorded = await Promise.all(named.map(recordedPath));
  return named.filter((_, at) => recorded[at] === undefined || recorded[at] === cwd);
}

/** Other writers make another hash of a long path. */
async function cutAlike(configHome: string, base: string): Promise<string[]> {
  const name = basename(base);
  if (name.length <= MAX_FOLDER_NAME_CHARS) return [];
  const start = `${name.slice(0, MAX_FOLDER_NAME_CHARS)}-`;
  return (await allFolders(configHome)).filter((folder) => basename(folder).startsWith(start) && folder !== base);
}

async function allFolders(configHome: string): Promise<string[]> {
  const projects = projectsFolder(configHome);
  return (await namesIn(projects)).map((name) => join(projects, name));
}

async function filesNamed(id: string, folders: readonly string[]): Promise<string[]> {
  const files = folders.map((folder) => join(folder, `${id}.jsonl`));
  const times = await Promise.all(files.map(modifiedMs));
  return files.filter((_, at) => times[at] !== undefined);
}

async function newestIn(folders: readonly string[], cwd: string): Promise<string | undefined> {
  const sessions: { file: string; modified: number }[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (!name.endsWith(".jsonl") || !isSessionId(basename(name, ".jsonl"))) continue;
      const file = join(folder, name);
      const modified = await modifiedMs(file);
      if (modified !== undefined) sessions.push({ file, modified });
    }
  }
  sessions.sort((a, b) => b.modified - a.modified || (a.file < b.file ? 1 : -1));
  for (const { file } of sessions) if (await isConversationOf(file, cwd)) return file;
  return undefined;
}

/**
 * Whether a file holds a conversation that was begun in `cwd`. A folder name says little: several directories can have the
 * same, so a session that names another one of them is not taken.
 */
async function isConversationOf(file: string, cwd: string): Promise<boolean> {
  const head = await headOf(file);
  if (!/"type": ?"(?:user|assistant)"/.test(head) || /"isSidechain": ?(true|false)/.exec(head)?.[1] === "true") {
    return false;
  }
  const begunIn = stringIn(/"cwd": ?("(?:[^"\\]|\\.)*")/.exec(head)?.[1]);
  return begunIn === undefined || begunIn === cwd || projectFolderName(begunIn) !== projectFolderName(cwd);
}

function stringIn(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // a damaged line says nothing
  }
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
