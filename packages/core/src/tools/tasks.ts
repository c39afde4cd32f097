import { randomBytes } from "node:crypto";
import { abortableSleep } from "../lib/abort.ts";
import type { ToolUseId } from "../messages/message.ts";

/** Work that may go on at the same time in one session. */
export const MAX_RUNNING_TASKS = 50;
/** Of tasks that have ended so many are remembered, the newest. */
const MAX_ENDED_TASKS = 200;
/** What the end of a stopped task is waited for. Milliseconds. */
const STOP_BOUND_MS = 2_000;
const ID_BYTES = 4;

export type TaskType = "local_bash" | "monitor" | "local_agent";
type TaskStatus = "running" | "completed" | "failed" | "stopped";

/** Work of a session beside its calls and turns. */
export type Task = {
  readonly id: string;
  readonly type: TaskType;
  readonly description: string;
  readonly status: TaskStatus;
  /** Of a shell task: its command line. */
  readonly command?: string;
  /** The call that started it. */
  readonly toolUseId?: ToolUseId;
  /** Absolute; grows while the task runs. */
  readonly outputFile?: string;
  /** The end of its output so far, at most so many bytes. */
  readonly tail?: (maxBytes: number) => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** What became of it. */
  readonly end?: TaskEnd;
};

export type TaskEnd = {
  status: Exclude<TaskStatus, "running">;
  /** One line, as in `Background command "Build" completed (exit code 0)`. */
  summary: string;
  exitCode?: number;
  /** What the model should have at once, such as an answer. */
  result?: string;
  note?: string;
};

export type TaskWork = Pick<Task, "type" | "description" | "command" | "toolUseId" | "outputFile" | "tail"> & {
  /** From `newId`; default a new one. */
  id?: string;
  /** Settles when the work has ended. Never rejects. */
  ended: Promise<TaskEnd>;
  /** Ends it; `ended` settles within a second. */
  stop(): void;
};

/** The tasks of one session. It ends them when it is closed. */
export interface Tasks {
  /** An id that no other task has. */
  newId(): string;
  /** Whether another task may be started: see `MAX_RUNNING_TASKS`. */
  hasRoom(): boolean;
  /** Lists work that has begun. Its end is told to the model, unless somebody waits for it. */
  start(work: TaskWork): Task;
  get(id: string): Task | undefined;
  /** Oldest first. */
  list(): readonly Task[];
  /** Ends a task and gives what became of it; undefined: there is none. One that had ended stays as it was. */
  stop(id: string): Promise<Task | undefined>;
  /** The task when it has ended, or as it is after the time or the abort. */
  wait(id: string, timeoutMs: number, signal: AbortSignal): Promise<Task | undefined>;
}

type TaskEvents = {
  now(): number;
  started(task: Task): void;
  /** `isAwaited`: a caller gets the end as its result. */
  ended(task: Task, isAwaited: boolean): void;
};

type Entry = { task: Task; ended: Promise<void>; stop(): void; waiting: number; isStopped: boolean };

export type TaskRegistry = Tasks & {
  /** Settles when all have ended, or after the time. */
  settled(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Ends all that run; each end is told to the model. */
  stopAll(): Promise<void>;
};

export function createTasks(events: TaskEvents): TaskRegistry {
  const entries = new Map<string, Entry>();
  const running = () => [...entries.values()].filter(({ task }) => task.status === "running");

  function finish(entry: Entry, end: TaskEnd): void {
    const status = entry.isStopped ? "stopped" : end.status;
    entry.task = { ...entry.task, status, endedAt: events.now(), end: { ...end, status } };
    forgetOldest(entries);
    events.ended(entry.task, entry.waiting > 0);
  }

  async function ended(entry: Entry, timeoutMs: number, signal: AbortSignal): Promise<Task> {
    if (entry.task.status !== "running") return entry.task;
    entry.waiting += 1;
    const enough = new AbortController();
    try {
      await Promise.race([entry.ended, abortableSleep(timeoutMs, AbortSignal.any([signal, enough.signal]))]);
    } finally {
      enough.abort();
      entry.waiting -= 1;
    }
    return entry.task;
  }

  const newId = () => `b${randomBytes(ID_BYTES).toString("hex")}`;

  async function settled(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const all = Promise.all(running().map((entry) => entry.ended));
    await Promise.race([all, abortableSleep(timeoutMs, AbortSignal.any([signal, enough.signal]))]);
    enough.abort();
  }

  return {
    newId,
    hasRoom: () => running().length < MAX_RUNNING_TASKS,
    start({ id = newId(), ended: work, stop, ...about }) {
      const task: Task = { ...about, id, status: "running", startedAt: events.now() };
      const entry: Entry = { task, stop, waiting: 0, isStopped: false, ended: Promise.resolve() };
      entry.ended = work.then((end) => finish(entry, end));
      entries.set(id, entry);
      events.started(task);
      return task;
    },
    get: (id) => entries.get(id)?.task,
    list: () => [...entries.values()].map(({ task }) => task),
    async stop(id) {
      const entry = entries.get(id);
      if (entry === undefined || entry.task.status !== "running") return entry?.task;
      entry.isStopped = true;
      entry.stop();
      return ended(entry, STOP_BOUND_MS, new AbortController().signal);
    },
    async wait(id, timeoutMs, signal) {
      const entry = entries.get(id);
      return entry === undefined ? undefined : ended(entry, timeoutMs, signal);
    },
    settled,
    async stopAll() {
      for (const entry of running()) {
        entry.isStopped = true;
        entry.stop();
      }
      await settled(STOP_BOUND_MS, new AbortController().signal);
    },
  };
}

function forgetOldest(entries: Map<string, Entry>): void {
  const ended = [...entries.values()].filter(({ task }) => task.status !== "running");
  for (const { task } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_TASKS))) entries.delete(task.id);
}
