import { isRecord } from "../../messages/api-shape.ts";

export const taskStatuses = ["pending", "in_progress", "completed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** One item of the session's task list. `blockedBy` names tasks that come before it, `blocks` those that wait for it. */
export type Task = {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly activeForm?: string;
  readonly status: TaskStatus;
  readonly owner?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly blocks: readonly string[];
  readonly blockedBy: readonly string[];
};

/** `nextId` goes up only: the id of a deleted task is not given again. */
export type TaskList = { readonly nextId: number; readonly tasks: readonly Task[] };

/** A list is for people and a model to look over. */
export const MAX_TASKS = 500;

/** What was stored, as it may come from a session of another version: a list that does not fit counts as none. */
export function storedTasks(stored: unknown): TaskList {
  return isTaskList(stored) ? stored : { nextId: 1, tasks: [] };
}

/** The tasks still open that `task` waits for. */
export function openBlockers({ blockedBy }: Task, { tasks }: TaskList): string[] {
  return blockedBy.filter((id) => tasks.some((task) => task.id === id && task.status !== "completed"));
}

/** `#1 [pending] Write the parser (waits for #2)`. */
export function taskLine(task: Task, list: TaskList): string {
  const blockers = openBlockers(task, list).map((id) => `#${id}`);
  const owner = task.owner === undefined ? "" : ` (${task.owner})`;
  const waits = blockers.length === 0 ? "" : ` (waits for ${blockers.join(", ")})`;
  return `#${task.id} [${task.status}] ${task.subject}${owner}${waits}`.replaceAll(/\s+/g, " ");
}

function isTaskList(value: unknown): value is TaskList {
  return isRecord(value) && Number.isInteger(value["nextId"]) && isListOf(value["tasks"], isTask);
}

function isTask(value: unknown): value is Task {
  if (!isRecord(value)) return false;
  const { id, subject, description, activeForm = "", owner = "", metadata = {}, status, blocks, blockedBy } = value;
  return (
    [id, subject, description, activeForm, owner].every(isText) &&
    isRecord(metadata) &&
    taskStatuses.some((each) => each === status) &&
    isListOf(blocks, isText) &&
    isListOf(blockedBy, isText)
  );
}

const isText = (value: unknown): value is string => typeof value === "string";
const isListOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(isItem);
