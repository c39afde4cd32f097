import type { JournalEntry } from "../history/journal.ts";
import { endedTaskNotice, lostTaskNotice } from "../tools/task-notice.ts";
import { createTasks, type Task, type TaskRegistry } from "../tools/tasks.ts";
import type { Notice } from "../tools/tool.ts";
import type { SdkMessage } from "./sdk-message.ts";

/** The part of the session's state that holds the tasks that run: after a crash the next start can say what was lost. */
export const BACKGROUND_TASKS_PART = "backgroundTasks";

type SessionTasksDeps = {
  now(): number;
  envelope(): { uuid: string; session_id: string };
  push(frame: SdkMessage): void;
  notify(notice: Notice, urgency: "wakes" | "waits"): void;
  record(entry: JournalEntry): Promise<void>;
};

/** The registry of a session's tasks: their beginnings and ends as frames, in the journal, and as notices to the model. */
export function sessionTasks(deps: SessionTasksDeps): TaskRegistry {
  const tasks = createTasks({
    now: deps.now,
    started(task) {
      deps.push({ ...startedFrame(task), ...deps.envelope() });
      changed();
    },
    ended(task, isAwaited) {
      deps.push({ ...notificationFrame(task), ...deps.envelope() });
      changed();
      if (!isAwaited) deps.notify(endedTaskNotice(task), "wakes");
    },
  });

  function changed(): void {
    const running = tasks.list().filter(({ status }) => status === "running");
    const listed = running.map(({ id, type, description }) => ({ task_id: id, task_type: type, description }));
    deps.push({ type: "system", subtype: "background_tasks_changed", tasks: listed, ...deps.envelope() });
    const value = running.map(({ id, description, outputFile }) => ({ id, description, outputFile }));
    // A journal that cannot be written ends the turn by its next entry; this one is only for the next start.
    deps.record({ type: "state", part: BACKGROUND_TASKS_PART, value }).catch(() => {});
  }

  return tasks;
}

/**
 * Tells the model which tasks have ended with the process that ran them.
 *
 * @param stored what `BACKGROUND_TASKS_PART` held when the session was stored.
 */
export function tellLostTasks(stored: unknown, { notify, record }: Pick<SessionTasksDeps, "notify" | "record">): void {
  const lost = storedTasks(stored);
  for (const task of lost) notify(lostTaskNotice(task), "waits");
  if (lost.length > 0) record({ type: "state", part: BACKGROUND_TASKS_PART, value: [] }).catch(() => {});
}

function startedFrame({ id, description, type, toolUseId }: Task) {
  const about = { task_id: id, description, task_type: type, is_backgrounded: true };
  return {
    type: "system",
    subtype: "task_started",
    ...about,
    ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
  } as const;
}

function notificationFrame({ id, status, outputFile, toolUseId, end }: Task) {
  return {
    type: "system",
    subtype: "task_notification",
    task_id: id,
    status: status === "running" ? "completed" : status,
    output_file: outputFile ?? "",
    summary: end?.summary ?? "",
    ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
  } as const;
}

type StoredTask = { id: string; description: string; outputFile?: string };

function storedTasks(value: unknown): StoredTask[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isStoredTask);
}

function isStoredTask(value: unknown): value is StoredTask {
  if (typeof value !== "object" || value === null || !("id" in value) || !("description" in value)) return false;
  const outputFile = "outputFile" in value ? value.outputFile : undefined;
  const isText = (field: unknown) => typeof field === "string";
  return isText(value.id) && isText(value.description) && (outputFile === undefined || isText(outputFile));
}
