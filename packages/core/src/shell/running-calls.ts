import { randomUUID } from "node:crypto";
import fs, { closeSync, mkdirSync, openSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, systemCode } from "../lib/error.ts";
import { isProcessIdentity, type ProcessIdentity, stateOf, thisProcess } from "../lib/process-identity.ts";
import { killMarked } from "./process-tree.ts";

/** What runs is on disk while it runs: when this process is killed, the next one ends what it has left behind. */
export type RunningCalls = {
  begin(marker: string): void;
  end(marker: string): void;
  /** Where this shell may keep a file as long as it lives; made when it is asked for. Undefined when it cannot be. */
  folder(): string | undefined;
  /** All have ended. */
  close(): void;
  /** Why the record cannot be written. */
  readonly failure: string | undefined;
};

const OWNER_FILE = "owner.json";
/** A call's file has its marker for a name; the others have an extension. */
const isMarker = (file: string): boolean => !/\.(?:json|sh)$/.test(file);
/** A record that nobody can judge, such as another machine's, is kept so long. Milliseconds. */
const MAX_RECORD_AGE_MS = 30 * 24 * 3_600_000;

/** A folder for this shell, made with the first call, in which each call that runs is a file. */
export function runningCalls(folder: string): RunningCalls {
  let own: string | undefined;
  let failure: string | undefined;
  const tryTo = (work: () => void) => {
    if (failure !== undefined) return;
    try {
      work();
    } catch (error) {
      // Commands run all the same: only after a kill of this process would they not be found.
      failure = `${folder}: what runs cannot be noted: ${messageOf(error)}`;
    }
  };
  return {
    begin: (marker) =>
      tryTo(() => {
        if (own !== undefined && note(own, marker)) return;
        own = newOwnFolder(folder); // the first call, or somebody has cleared the folder
        note(own, marker);
      }),
    folder() {
      tryTo(() => {
        own ??= newOwnFolder(folder);
      });
      return own;
    },
    end: (marker) =>
      tryTo(() => {
        const path = own === undefined ? undefined : join(own, marker);
        if (path !== undefined) unlessMissing(() => unlinkSync(path));
      }),
    close: () =>
      tryTo(() => {
        if (own !== undefined) rmSync(own, { recursive: true, force: true });
        own = undefined;
      }),
    get failure() {
      return failure;
    },
  };
}

/** Whether the folder was there. */
const note = (own: string, marker: string): boolean =>
  unlessMissing(() => closeSync(openSync(join(own, marker), "w", 0o600)));

/** Whether what the work is about is there. */
function unlessMissing(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
}

function newOwnFolder(folder: string): string {
  const own = join(folder, `${process.pid}-${randomUUID()}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, OWNER_FILE), JSON.stringify(thisProcess(fs)), { mode: 0o600 });
  return own;
}

/**
 * Ends what processes that were killed have left running, and forgets it. Gives how many processes were ended. Only what
 * carries a call's own marker is touched: a pid that was given to another process is never taken for it.
 */
export async function endLostCalls(folder: string): Promise<number> {
  const self = thisProcess(fs);
  let ended = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const verdict = await verdictOn(path, self);
    if (verdict === "keep") continue;
    const files = verdict === "lost" ? await readdir(path).catch(() => []) : [];
    const counts = await Promise.all(files.filter(isMarker).map(killMarked)); // together: they share their looks
    ended += counts.reduce((total, count) => total + count, 0);
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
  return ended;
}

/** `lost`: its owner is gone, and what it ran may not be. `stale`: neither is there, or nobody can say any more. */
async function verdictOn(path: string, self: ProcessIdentity): Promise<"keep" | "lost" | "stale"> {
  const owner = await readOwner(join(path, OWNER_FILE));
  const state = owner === undefined ? "unknown" : stateOf(owner, self, fs);
  if (state === "unknown") return (await ageMs(path)) > MAX_RECORD_AGE_MS ? "stale" : "keep";
  if (state === "running") return "keep";
  return owner?.bootId === self.bootId ? "lost" : "stale";
}

async function readOwner(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isProcessIdentity(value) ? value : undefined;
  } catch {
    return undefined; // just being made, or cut by a crash
  }
}

async function ageMs(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
