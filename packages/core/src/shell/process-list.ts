import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { batched } from "../lib/batched.ts";
import { CALL_MARKER } from "./child-env.ts";

export type ProcessEntry = {
  pid: number;
  parentPid: number;
  groupId: number;
  /** Ended and not yet collected by its parent: it runs nothing. */
  isZombie: boolean;
  /** With the pid it names one process for good: pids are used again. */
  startedAt: string;
  /** Carries the call's marker in its environment, or writes where the call reads. */
  isMarked: boolean;
};

/** Whose processes are looked for. */
type Wanted = { marker: string | undefined; since: string | undefined; outputs: readonly string[] };

/**
 * Every process of the machine that we may see. Without a marker none is marked. Many calls that are ended at once share each
 * look: else a session with many jobs would not be closed in time.
 *
 * @param since a `startedAt`: what began earlier is listed without a look at its environment, which is most of the work.
 * @param outputs from `outputsOf` a process: who writes there too is marked.
 */
export const listProcesses = (marker?: string, since?: string, outputs: readonly string[] = []) =>
  look({ marker, since, outputs });

const look = batched(async (wanted: readonly Wanted[]): Promise<ProcessEntry[][]> => {
  if (process.platform !== "linux") {
    const listed = await runPs();
    return wanted.map(({ marker }) => parsePs(listed, marker));
  }
  const seen = seenInProc(wanted);
  return wanted.map((one) => seen.map(({ traces, ...entry }) => ({ ...entry, isMarked: isOf(one, entry, traces) })));
});

/** What stdout and stderr of a process are, such as `socket:[4711]`: no other call's. Empty where the system does not tell. */
export function outputsOf(pid: number): string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      return []; // It is gone, or not ours to look at.
    }
  });
}

/** When a process began, as `startedAt`; undefined when it is gone or the system has no quick way to tell. */
export function startOf(pid: number): string | undefined {
  return process.platform === "linux" ? statOf(pid)?.startedAt : undefined;
}

/** Whether the process is gone, or only waits to be collected. */
export function hasEnded({ pid, startedAt }: ProcessEntry): boolean {
  if (!signalProcess(pid, 0)) return true;
  if (process.platform !== "linux") return false;
  const now = statOf(pid);
  return now === undefined || now.isZombie || now.startedAt !== startedAt;
}

/** False when there is no such process (group: negative), or it is not ours to signal. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: it is gone. EPERM: it belongs to another user, and nothing that we can do ends it.
    return false;
  }
}

/** What says whose a process is: its environment from the marker on, and where it writes. */
type Traces = { environment: string; outputs: readonly string[] };
type Seen = Omit<ProcessEntry, "isMarked">;

function seenInProc(wanted: readonly Wanted[]): (Seen & { traces: Traces | undefined })[] {
  return processNames().flatMap((name) => {
    const pid = Number(name);
    const entry = Number.isInteger(pid) ? statOf(pid) : undefined;
    if (entry === undefined) return [];
    const by = wanted.filter((one) => isCandidate(one, entry));
    const outputs = by.some((one) => one.outputs.length > 0) ? outputsOf(pid) : [];
    return [{ ...entry, traces: by.length === 0 ? undefined : { environment: markedPartOf(pid), outputs } }];
  });
}

const isCandidate = ({ marker, since = "0" }: Wanted, { isZombie, startedAt }: Seen): boolean =>
  marker !== undefined && !isZombie && Number(startedAt) >= Number(since);

function isOf(wanted: Wanted, entry: Seen, traces: Traces | undefined): boolean {
  if (traces === undefined || !isCandidate(wanted, entry)) return false;
  return (
    traces.environment.includes(`${CALL_MARKER}=${wanted.marker}`) ||
    traces.outputs.some((output) => wanted.outputs.includes(output))
  );
}

function processNames(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    // Not mounted: the caller is left with the process group.
    return [];
  }
}

/** A process can end between two reads, and those of other users cannot be read: both are then not ours to end. */
function markedPartOf(pid: number): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const at = environment.indexOf(`${CALL_MARKER}=`);
    return at === -1 ? "" : environment.slice(at);
  } catch {
    return "";
  }
}

/** `stat` is shorter; one read gives all of it. */
const statBuffer = Buffer.alloc(4_096);

/** Undefined when the process is gone. Half as many system calls as `readFileSync`: it is asked of every process there is. */
function statOf(pid: number): Seen | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, "r");
    return parseStat(pid, statBuffer.toString("latin1", 0, readSync(file, statBuffer)));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html The name may hold spaces and brackets: read after its last one. */
function parseStat(pid: number, stat: string): Seen | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parentPid, groupId] = fields;
  const startedAt = fields[19];
  if (parentPid === undefined || groupId === undefined || startedAt === undefined) return undefined;
  const isZombie = state === "Z" || state === "X";
  return { pid, parentPid: Number(parentPid), groupId: Number(groupId), isZombie, startedAt };
}

const PS_TIMEOUT_MS = 300;
const PS_MAX_BYTES = 32 * 1024 * 1024;

/** macOS has no /proc; `-E` adds the environment to the command. */
function runPs(): Promise<string> {
  const args = ["-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="];
  return new Promise((resolve) => {
    // Absolute: the search path may lead into a folder that nobody trusts.
    execFile("/bin/ps", args, { timeout: PS_TIMEOUT_MS, maxBuffer: PS_MAX_BYTES }, (_error, stdout) => resolve(stdout));
  });
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})\s(.*)$/;

/** Lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=`. */
export function parsePs(text: string, marker?: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of text.split("\n")) {
    const [, pid, parentPid, groupId, state = "", startedAt = "", command = ""] = PS_LINE.exec(line) ?? [];
    if (pid === undefined) continue;
    entries.push({
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      isZombie: state.startsWith("Z"),
      startedAt,
      isMarked: marker !== undefined && command.includes(`${CALL_MARKER}=${marker}`),
    });
  }
  return entries;
}
