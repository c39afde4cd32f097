import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./root.mjs";

const POLL_MS = 500;
const MAX_WAIT_MS = 10 * 60_000;
const lock = join(root, ".stamps/setup.lock");

/** Runs `work` while no other process sets up the same clone. A lock whose process has ended is taken over. */
export async function alone(work) {
  await take();
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function take() {
  mkdirSync(join(root, ".stamps"), { recursive: true });
  const deadline = Date.now() + MAX_WAIT_MS;
  for (let told = false; !tryTake(); told = true) {
    const owner = ownerOfLock();
    if (owner !== undefined && !isAlive(owner)) rmSync(lock, { force: true });
    else if (Date.now() > deadline)
      throw new Error(`Process ${owner} has been setting up for 10 minutes. End it, or remove ${lock}`);
    else if (!told) process.stderr.write(`Waiting for the set-up that process ${owner} runs …\n`);
    await sleep(POLL_MS);
  }
}

function tryTake() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function ownerOfLock() {
  try {
    return Number(readFileSync(lock, "utf8")) || undefined;
  } catch (error) {
    if (error.code === "ENOENT") return undefined; // given back in the meantime
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
