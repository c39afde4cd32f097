import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { systemCode } from "../lib/error.ts";

/** Which process is which, also after its number was given to another. */
export type ProcessIdentity = {
  pid: number;
  host: string;
  /** Of this run of the machine, and of the space that `pid` counts in. Only where the system tells (Linux). */
  bootId?: string;
  pidSpace?: string;
  /** Clock ticks since the machine started. Only where the system tells. */
  startTime?: string;
};

export async function thisProcess(): Promise<ProcessIdentity> {
  const { bootId, pidSpace } = await thisSystem();
  const startTime = await startTimeOf(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    ...(bootId === undefined ? {} : { bootId }),
    ...(pidSpace === undefined ? {} : { pidSpace }),
    ...(startTime === undefined ? {} : { startTime }),
  };
}

/** `unknown`: it is, or was, out of our sight: on another machine or in another container. */
export async function stateOf(other: ProcessIdentity, self: ProcessIdentity): Promise<"running" | "gone" | "unknown"> {
  if (other.host !== self.host) return "unknown";
  if (other.bootId !== self.bootId) return "gone";
  if (other.pidSpace !== self.pidSpace) return "unknown";
  if (!isPidInUse(other.pid)) return "gone";
  const startTime = await startTimeOf(other.pid);
  return startTime !== undefined && other.startTime !== undefined && startTime !== other.startTime ? "gone" : "running";
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH"; // EPERM: another user's process
  }
}

async function thisSystem() {
  const bootId = await ifThere(() => readFile("/proc/sys/kernel/random/boot_id", "utf8"));
  const pidSpace = await ifThere(() => readlink("/proc/self/ns/pid"));
  return { bootId: bootId?.trim(), pidSpace };
}

/** Field 22 of the process's `stat`, counted after the name, which may hold anything. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await ifThere(() => readFile(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

async function ifThere(read: () => Promise<string>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // a system without it, or a process that has just ended
  }
}
