import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PawlError, systemCode } from "../lib/error.ts";
import { isProcessIdentity, type ProcessIdentity, stateOf, thisProcess } from "../lib/process-identity.ts";
import { modifiedMs } from "./modified.ts";

/**
 * One writer a session. Each writer announces itself by a file of its own and then looks for others: whoever sees a
 * living one steps back. No file is ever taken over, so no two can both believe they hold the session.
 */
export type SessionLock = {
  owner: ProcessIdentity;
  /** Somebody removed our announcement: another writer may be at work. */
  isLost(): boolean;
  release(): Promise<void>;
};

/** Two that announce themselves at once both step back and try again. */
const MAX_TRIES = 3;
const MIN_STEP_BACK_MS = 10;
const MAX_STEP_BACK_MS = 60;

/** A writer shows this often that it lives, for those who cannot see its process. */
const HEARTBEAT_MS = 30_000;
/** One out of sight that has shown nothing for so long is dead. */
const SILENT_IS_DEAD_MS = 5 * 60_000;

/** @throws PawlError `session_in_use`. */
export async function lockSession(file: string, heartbeatMs: number = HEARTBEAT_MS): Promise<SessionLock> {
  const owner = thisProcess(fs);
  for (let attempt = 1; ; attempt++) {
    const announcement = await announce(file, owner);
    const rival = await livingRival(file, announcement, owner);
    if (rival === undefined) return hold(announcement, owner, heartbeatMs);
    await rm(announcement, { force: true });
    if (attempt === MAX_TRIES) throw inUse(file, rival);
    await sleep(MIN_STEP_BACK_MS + Math.random() * (MAX_STEP_BACK_MS - MIN_STEP_BACK_MS));
  }
}

type Rival = { path: string; owner: ProcessIdentity | undefined };

const SUFFIX = ".lock";
const prefixOf = (file: string): string => `${basename(file, ".jsonl")}.`;

async function announce(file: string, owner: ProcessIdentity): Promise<string> {
  const path = join(dirname(file), `${prefixOf(file)}${owner.pid}-${randomBytes(6).toString("hex")}${SUFFIX}`);
  // Others must never see it half written.
  const unfinished = `${path}.new`;
  await writeFile(unfinished, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
  await rename(unfinished, path);
  return path;
}

async function livingRival(file: string, own: string, self: ProcessIdentity): Promise<Rival | undefined> {
  const folder = dirname(file);
  const prefix = prefixOf(file);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === own || !name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue;
    const owner = await ownerOf(path);
    if (await isAlive(path, owner, own, self)) return { path, owner };
    await rm(path, { force: true });
  }
  return undefined;
}

async function isAlive(
  path: string,
  owner: ProcessIdentity | undefined,
  own: string,
  self: ProcessIdentity,
): Promise<boolean> {
  const state = owner === undefined ? "unknown" : stateOf(owner, self, fs);
  if (state !== "unknown") return state === "running";
  // Both times are the file system's own, whatever the clocks of the machines say.
  const [shownMs, nowMs] = await Promise.all([modifiedMs(path), modifiedMs(own)]);
  return shownMs !== undefined && nowMs !== undefined && nowMs - shownMs < SILENT_IS_DEAD_MS;
}

/** Undefined when it cannot be read. */
async function ownerOf(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isProcessIdentity(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function hold(announcement: string, owner: ProcessIdentity, heartbeatMs: number): SessionLock {
  let isLost = false;
  const heartbeat = setInterval(async () => {
    try {
      await writeFile(announcement, JSON.stringify(owner), { flag: "r+" }); // the same again: it gets a new time
    } catch (error) {
      // Any other failure shows itself at the next write.
      if (systemCode(error) === "ENOENT") isLost = true;
    }
  }, heartbeatMs);
  heartbeat.unref();
  return {
    owner,
    isLost: () => isLost,
    async release() {
      clearInterval(heartbeat);
      try {
        await rm(announcement, { force: true });
      } catch {
        // Left where it cannot be removed: whoever finds it sees that this process has ended.
      }
    },
  };
}

function inUse(file: string, rival: Rival): PawlError {
  const sessionId = basename(file, ".jsonl");
  const who = rival.owner === undefined ? "another process" : `process ${rival.owner.pid} on ${rival.owner.host}`;
  return new PawlError(
    "session_in_use",
    `Session ${sessionId} is in use by ${who}: end that one, or go on in a copy with --fork-session. ` +
      `If it is certain that nothing uses it, delete ${rival.path}`,
  );
}
