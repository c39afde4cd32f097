import { hostname } from "node:os";
import { systemCode } from "./error.ts";

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

/** How the system's own files are read: `node:fs`. */
type SystemFiles = {
  readFileSync(path: string, encoding: "utf8"): string;
  readlinkSync(path: string): string;
};

export function thisProcess(fs: SystemFiles): ProcessIdentity {
  const bootId = ifThere(() => fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const pidSpace = ifThere(() => fs.readlinkSync("/proc/self/ns/pid"));
  const startTime = startTimeOf(process.pid, fs);
  return {
    pid: process.pid,
    host: hostname(),
    ...(bootId === undefined ? {} : { bootId }),
    ...(pidSpace === undefined ? {} : { pidSpace }),
    ...(startTime === undefined ? {} : { startTime }),
  };
}

/** Whether what was read from a file names a process. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, bootId, pidSpace, startTime }: Record<string, unknown> = { ...value };
  const isPid = typeof pid === "number" && Number.isInteger(pid) && pid > 0;
  return isPid && typeof host === "string" && [bootId, pidSpace, startTime].every(isTextIfThere);
}

const isTextIfThere = (value: unknown): boolean => value === undefined || typeof value === "string";

/** `unknown`: it is, or was, out of our sight: on another machine or in another container. */
export function stateOf(
  other: ProcessIdentity,
  self: ProcessIdentity,
  fs: SystemFiles,
): "running" | "gone" | "unknown" {
  if (other.host !== self.host) return "unknown";
  if (other.bootId !== self.bootId) return "gone";
  if (other.pidSpace !== self.pidSpace) return "unknown";
  if (!isPidInUse(other.pid)) return "gone";
  const startTime = startTimeOf(other.pid, fs);
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

/** Field 22 of the process's `stat`, counted after the name, which may hold anything. */
function startTimeOf(pid: number, fs: SystemFiles): string | undefined {
  const stat = ifThere(() => fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // a system without it, or a process that has just ended
  }
}
