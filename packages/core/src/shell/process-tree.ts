import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, listProcesses, outputsOf, type ProcessEntry, signalProcess, startOf } from "./process-list.ts";

/** What a process may take to end by itself after TERM. */
const TERM_GRACE_MS = 400;
/** How long KILL is repeated for what is started meanwhile. Beyond, a process hangs in the kernel and nobody can end it. */
const KILL_BOUND_MS = 300;
const POLL_MS = 10;

/** Members of a tree that were seen: pid → `startedAt`. They stay members when their parent is gone. */
type KnownProcesses = Map<number, string>;

/** When a tree is looked at while it runs, after its start; then again each time the last wait is over. Milliseconds. */
const WATCH_WAITS_MS = [30, 70, 200, 700, 2_000];

type TreeWatch = {
  /** Where the tree writes, which its daemons often go on to hold. */
  readonly outputs: readonly string[];
  /** Ends the watch. */
  stop(): KnownProcesses;
};

/**
 * Remembers who belongs to the tree of a process while parents still run: afterwards nothing says so of a process that left
 * session and parent and cleared its environment. Only where a look is cheap (Linux).
 */
export function watchTree(rootPid: number): TreeWatch {
  const known: KnownProcesses = new Map();
  const outputs = outputsOf(rootPid);
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  const wait = () => {
    timer = setTimeout(look, WATCH_WAITS_MS[Math.min(looks, WATCH_WAITS_MS.length - 1)]);
    timer.unref();
    looks += 1;
  };
  const look = async () => {
    treeOf(rootPid, await sharedLook(), known);
    if (timer !== undefined) wait();
  };
  if (process.platform === "linux") wait();
  return {
    outputs,
    stop() {
      clearTimeout(timer);
      timer = undefined;
      return known;
    },
  };
}

/** A look so long ago serves another watch as well: with many jobs the looks would be most of their cost. Milliseconds. */
const SHARED_LOOK_MS = 10;
let lastLook: { processes: Promise<ProcessEntry[]>; endedMs: number } | undefined;

/** Only to remember who there is: what is to be ended is looked for anew. */
async function sharedLook(): Promise<readonly ProcessEntry[]> {
  if (lastLook !== undefined && performance.now() - lastLook.endedMs < SHARED_LOOK_MS) return lastLook.processes;
  const look = { processes: listProcesses(), endedMs: Number.POSITIVE_INFINITY };
  lastLook = look;
  await look.processes;
  look.endedMs = performance.now();
  return look.processes;
}

/**
 * Ends a process with everything it has started: its group, its descendants, those that were seen while it ran, and those
 * that left it but carry the call's marker or write where the call reads. Settles within `TERM_GRACE_MS + KILL_BOUND_MS`.
 *
 * Out of reach: a process that, sooner than it was seen, left the session, lost its parent, cleared its environment **and**
 * closed its outputs.
 */
export async function killTree(rootPid: number, marker: string, watch?: TreeWatch): Promise<void> {
  const known: KnownProcesses = watch?.stop() ?? new Map();
  const since = startOf(rootPid) ?? known.get(rootPid);
  await endAll(rootPid, async () => treeOf(rootPid, await listProcesses(marker, since, watch?.outputs), known));
}

/** Ends every process that carries a marker, with its descendants. Gives how many there were at first. */
export async function killMarked(marker: string): Promise<number> {
  const known: KnownProcesses = new Map();
  await endAll(undefined, async () => treeOf(undefined, await listProcesses(marker), known));
  return known.size;
}

/** Ends what is left of a process group. Gives whether anything was. */
export async function endGroup(groupId: number): Promise<boolean> {
  if (!signalProcess(-groupId, 0)) return false;
  return endAll(groupId, async () => (await listProcesses()).filter((entry) => isRunningIn(groupId, entry)));
}

const isRunningIn = (groupId: number, entry: ProcessEntry) => entry.groupId === groupId && !entry.isZombie;

/** The members of a tree that run. Those in `known` stay members when their parent is gone; new ones are added to it. */
function treeOf(
  rootPid: number | undefined,
  processes: readonly ProcessEntry[],
  known: KnownProcesses,
): ProcessEntry[] {
  const children = childrenOf(processes);
  const members = new Set<ProcessEntry>();
  const waiting = processes.filter(
    (entry) =>
      entry.pid === rootPid || entry.groupId === rootPid || entry.isMarked || known.get(entry.pid) === entry.startedAt,
  );
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (members.has(entry) || entry.pid === process.pid) continue;
    members.add(entry);
    known.set(entry.pid, entry.startedAt);
    waiting.push(...(children.get(entry.pid) ?? []));
  }
  return [...members].filter((entry) => !entry.isZombie);
}

function childrenOf(processes: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of processes) {
    const siblings = children.get(entry.parentPid);
    if (siblings === undefined) children.set(entry.parentPid, [entry]);
    else siblings.push(entry);
  }
  return children;
}

/** TERM, then KILL, each sent again to what is found after the others have ended. */
async function endAll(groupId: number | undefined, find: () => Promise<ProcessEntry[]>): Promise<boolean> {
  let found = await find();
  const hadAny = found.length > 0;
  // All have ended, or the system does not list processes: then at least the group goes.
  if (!hadAny) signalGroup(groupId, "SIGKILL");
  for (const [signal, boundMs] of [
    ["SIGTERM", TERM_GRACE_MS],
    ["SIGKILL", KILL_BOUND_MS],
  ] as const) {
    const deadline = performance.now() + boundMs;
    while (found.length > 0 && performance.now() < deadline) {
      signalGroup(groupId, signal);
      for (const entry of found) if (entry.groupId !== groupId) signalProcess(entry.pid, signal);
      if (!(await allEnded(found, deadline))) break;
      found = await find();
    }
    if (found.length === 0) return hadAny;
    found = await find();
  }
  return hadAny;
}

function signalGroup(groupId: number | undefined, signal: NodeJS.Signals): void {
  if (groupId !== undefined) signalProcess(-groupId, signal);
}

async function allEnded(entries: readonly ProcessEntry[], deadline: number): Promise<boolean> {
  while (!entries.every(hasEnded)) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
