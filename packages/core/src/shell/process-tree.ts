import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, listProcesses, type ProcessEntry, signalProcess, startOf } from "./process-list.ts";

/** What a process may take to end by itself after TERM. */
export const TERM_GRACE_MS = 400;
/** How long KILL is repeated for what is started meanwhile. Beyond, a process hangs in the kernel and nobody can end it. */
export const KILL_BOUND_MS = 300;
const POLL_MS = 10;

/**
 * Ends a process with everything it has started: its group, its descendants, and those that left both but carry the
 * call's marker. Settles within `TERM_GRACE_MS + KILL_BOUND_MS`.
 *
 * Out of reach: a process that left the session, lost its parent **and** cleared its environment.
 */
export async function killTree(rootPid: number, marker: string): Promise<void> {
  const known = new Map<number, string>();
  const since = startOf(rootPid);
  await endAll(rootPid, async () => treeOf(rootPid, await listProcesses(marker, since), known));
}

/** Ends what is left of a process group. Gives whether anything was. */
export async function endGroup(groupId: number): Promise<boolean> {
  if (!signalProcess(-groupId, 0)) return false;
  return endAll(groupId, async () => (await listProcesses()).filter((entry) => isRunningIn(groupId, entry)));
}

const isRunningIn = (groupId: number, entry: ProcessEntry) => entry.groupId === groupId && !entry.isZombie;

/** The members of a tree that run. Those in `known` stay members when their parent is gone; new ones are added to it. */
function treeOf(rootPid: number, processes: readonly ProcessEntry[], known: Map<number, string>): ProcessEntry[] {
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
async function endAll(groupId: number, find: () => Promise<ProcessEntry[]>): Promise<boolean> {
  let found = await find();
  const hadAny = found.length > 0;
  // All have ended, or the system does not list processes: then at least the group goes.
  if (!hadAny) signalProcess(-groupId, "SIGKILL");
  for (const [signal, boundMs] of [
    ["SIGTERM", TERM_GRACE_MS],
    ["SIGKILL", KILL_BOUND_MS],
  ] as const) {
    const deadline = performance.now() + boundMs;
    while (found.length > 0 && performance.now() < deadline) {
      signalProcess(-groupId, signal);
      for (const entry of found) if (entry.groupId !== groupId) signalProcess(entry.pid, signal);
      if (!(await allEnded(found, deadline))) break;
      found = await find();
    }
    if (found.length === 0) return hadAny;
    found = await find();
  }
  return hadAny;
}

async function allEnded(entries: readonly ProcessEntry[], deadline: number): Promise<boolean> {
  while (!entries.every(hasEnded)) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
