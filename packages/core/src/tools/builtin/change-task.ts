import type { Task, TaskList, TaskStatus } from "./task-list.ts";

/** What is to be changed of a task. In `metadata` a null takes the key away. */
export type TaskChange = {
  subject?: string;
  description?: string;
  activeForm?: string;
  owner?: string;
  status?: TaskStatus;
  metadata?: Readonly<Record<string, unknown>>;
  addBlocks?: readonly string[];
  addBlockedBy?: readonly string[];
};

type ChangedTasks = { list: TaskList; updatedFields: string[] } | { error: string };

const plainFields = ["subject", "description", "activeForm", "owner", "status"] as const;

/** The list with one task changed, whole or not at all: an order that cannot be kept is refused. */
export function changeTask(list: TaskList, id: string, change: TaskChange): ChangedTasks {
  const task = list.tasks.find((each) => each.id === id);
  if (task === undefined) return { error: `Task not found: #${id}` };
  if (change.subject?.trim() === "") return { error: "The subject is blank" };
  const metadata = change.metadata && withMetadata(task.metadata ?? {}, change.metadata);
  const given = Object.fromEntries(
    plainFields.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])),
  );
  const edges = [
    ...(change.addBlocks ?? []).map((later) => ({ before: id, after: later })),
    ...(change.addBlockedBy ?? []).map((earlier) => ({ before: earlier, after: id })),
  ];
  const fresh: Task = { ...task, ...given, ...(metadata === undefined ? {} : { metadata }) };
  const tasks = list.tasks.map((each) => (each === task ? fresh : each));
  const ordered = withEdges(tasks, edges);
  if (typeof ordered === "string") return { error: ordered };
  const changed = ordered.find((each) => each.id === id) ?? fresh;
  return { list: { ...list, tasks: ordered }, updatedFields: changedFields(task, changed) };
}

/** The list without the task, which no other waits for any more. */
export function withoutTask(list: TaskList, id: string): ChangedTasks {
  if (!list.tasks.some((task) => task.id === id)) return { error: `Task not found: #${id}` };
  const others = (ids: readonly string[]) => ids.filter((each) => each !== id);
  const tasks = list.tasks
    .filter((task) => task.id !== id)
    .map((task) => ({ ...task, blocks: others(task.blocks), blockedBy: others(task.blockedBy) }));
  return { list: { ...list, tasks }, updatedFields: ["deleted"] };
}

function withMetadata(before: Readonly<Record<string, unknown>>, change: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}

type Edge = { before: string; after: string };

/** The tasks with each edge noted at both its ends, or why it cannot be. */
function withEdges(tasks: readonly Task[], edges: readonly Edge[]): readonly Task[] | string {
  let ordered = tasks;
  for (const edge of edges) {
    const next = withEdge(ordered, edge);
    if (typeof next === "string") return next;
    ordered = next;
  }
  return ordered;
}

function withEdge(tasks: readonly Task[], { before, after }: Edge): readonly Task[] | string {
  const missing = [before, after].find((id) => !tasks.some((task) => task.id === id));
  if (missing !== undefined) return `Task not found: #${missing}`;
  if (before === after) return `Task #${before} cannot wait for itself`;
  if (waitsFor(tasks, before, after)) return `Task #${after} cannot wait for #${before}, which waits for #${after}`;
  return tasks.map((task) => {
    if (task.id === before) return { ...task, blocks: [...new Set([...task.blocks, after])] };
    if (task.id === after) return { ...task, blockedBy: [...new Set([...task.blockedBy, before])] };
    return task;
  });
}

/** Whether `id`, by itself or through others, waits for `target`. */
function waitsFor(tasks: readonly Task[], id: string, target: string): boolean {
  const seen = new Set([id]);
  for (const each of seen) {
    for (const blocker of tasks.find((task) => task.id === each)?.blockedBy ?? []) {
      if (blocker === target) return true;
      seen.add(blocker);
    }
  }
  return false;
}

const comparedFields = [...plainFields, "metadata", "blocks", "blockedBy"] as const;

function changedFields(before: Task, after: Task): string[] {
  return comparedFields.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
