import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, PawlError, systemCode } from "../lib/error.ts";
import { isProcessIdentity, type ProcessIdentity, stateOf, thisProcess } from "../lib/process-identity.ts";
import { fileError } from "./file-error.ts";
import { linkTarget } from "./real-path.ts";

/** A lock is held for one rewrite of a small file: nobody waits longer than this. Milliseconds. */
const MAX_WAIT_MS = 30_000;
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;
/** One whose owner cannot be seen, such as one in another container, is dead after this. Milliseconds. */
const UNSEEN_IS_DEAD_MS = 10_000;
/** What a killed process has left beside the file goes after this. Milliseconds. */
const LEFTOVER_MS = 60_000;

type Holder = { owner: ProcessIdentity; nonce: string };

/**
 * Runs `action` while no other process of ours does so for the same file. The lock of a process that was killed is broken, by
 * one process alone: whoever breaks it holds a lock of that very lock.
 *
 * @throws PawlError `file_locked` when it is held for too long, or something that is no lock of ours stands in its place;
 * `file_*` when there can be no lock beside the file.
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const nonce = await prepared(path, lock);
  try {
    if (nonce !== undefined) await removeLeftovers(lock);
    return await action();
  } finally {
    if (nonce !== undefined && (await holderOf(lock))?.nonce === nonce) await rm(lock, { force: true });
  }
}

async function prepared(path: string, lock: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await acquire(lock);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** A file system without hard links, such as exFAT, has no lock; who writes there compares before the rename all the same. */
const noLinks: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** The lock's own nonce, or undefined where there can be none. */
async function acquire(lock: string): Promise<string | undefined> {
  const self = thisProcess(fs);
  const holder = { owner: self, nonce: randomBytes(8).toString("hex") };
  const startedAt = Date.now();
  for (;;) {
    const taken = await take(lock, holder);
    if (taken !== "held") return taken === "taken" ? holder.nonce : undefined;
    const rival = await holderOf(lock);
    if (rival === undefined) continue; // just released
    if (await isDead(lock, rival, self)) await breakLock(lock, rival.nonce, self);
    else if (Date.now() - startedAt > MAX_WAIT_MS) throw locked(lock, rival);
    else await sleep(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
  }
}

/** Links a whole file to the lock's name: it is there with its content, or not at all. */
async function take(lock: string, holder: Holder): Promise<"taken" | "held" | "no_links"> {
  const own = `${lock}.${holder.nonce}.new`;
  await writeFile(own, JSON.stringify(holder), { mode: 0o600 });
  try {
    await link(own, lock);
    return "taken";
  } catch (error) {
    if (systemCode(error) === "EEXIST") return "held";
    if (noLinks.includes(systemCode(error))) return "no_links";
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Takes a dead holder's lock away. Only who holds the lock of this one holder may: so that nobody takes away the lock of the
 * next, whom a third has let in meanwhile.
 */
async function breakLock(lock: string, nonce: string, self: ProcessIdentity): Promise<void> {
  const breaking = `${lock}.${nonce}.break`;
  const holder = { owner: self, nonce: randomBytes(8).toString("hex") };
  if ((await take(breaking, holder)) === "taken") {
    try {
      if ((await holderOf(lock))?.nonce === nonce) await rm(lock, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
    return;
  }
  const rival = await holderOf(breaking);
  if (rival !== undefined && (await isDead(breaking, rival, self))) await breakLock(breaking, rival.nonce, self);
  else await sleep(MIN_PAUSE_MS);
}

async function isDead(lock: string, { owner }: Holder, self: ProcessIdentity): Promise<boolean> {
  const state = stateOf(owner, self, fs);
  if (state !== "unknown") return state === "gone";
  try {
    return Date.now() - (await stat(lock)).mtimeMs > UNSEEN_IS_DEAD_MS;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Undefined when there is no such lock any more. */
async function holderOf(lock: string): Promise<Holder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(lock, "utf8")); // ours is only ever written whole, by `take`
    if (isHolder(holder)) return holder;
    throw new Error("it names no process");
  } catch (error) {
    // A link that leads nowhere is there for whoever links, and not for who reads: it would be waited for without end.
    const isGone = systemCode(error) === "ENOENT" && (await linkTarget(lock)) === undefined;
    if (isGone) return undefined;
    throw inTheWay(lock, error);
  }
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === "object" &&
  value !== null &&
  "nonce" in value &&
  typeof value.nonce === "string" &&
  "owner" in value &&
  isProcessIdentity(value.owner);

const inTheWay = (lock: string, cause: unknown): PawlError =>
  new PawlError(
    "file_locked",
    `${lock} is no lock of this program and stands in its place (${messageOf(cause)}): delete it if nothing else uses it`,
    { cause },
  );

async function removeLeftovers(lock: string): Promise<void> {
  const folder = dirname(lock);
  const prefix = `${basename(lock)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const seenAt = await stat(path).catch(() => undefined);
    if (seenAt !== undefined && Date.now() - seenAt.mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

function locked(lock: string, { owner }: Holder): PawlError {
  return new PawlError(
    "file_locked",
    `${lock} has been held by process ${owner.pid} on ${owner.host} for more than ${MAX_WAIT_MS / 1000} s: end that process, or delete the file if it is certain that nothing uses it`,
  );
}
