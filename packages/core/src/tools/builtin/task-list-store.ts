import { withFileLock } from "../../files/file-lock.ts";
import type { WorkspaceFiles } from "../../files/workspace-files.ts";
import { PawlError } from "../../lib/error.ts";
import { storedTasks, type TaskList } from "./task-list.ts";

/** Where the task list is kept: with the session, or in a file that several sessions share. */
export interface TaskListStore {
  read(): Promise<TaskList>;
  /** One change at a time: `change` gets the list as it is then. Undefined leaves it as it is. */
  change<Result>(change: (list: TaskList) => { list: TaskList | undefined; result: Result }): Promise<Result>;
}

/** The part of the session's state that holds the list. */
export const TASKS_PART = "tasks";

type State = { get(part: string): unknown; set(part: string, value: unknown): Promise<void> };

export function sessionTaskList(state: State): TaskListStore {
  const read = () => storedTasks(state.get(TASKS_PART));
  return {
    read: async () => read(),
    async change(change) {
      const { list, result } = change(read());
      if (list !== undefined) await state.set(TASKS_PART, list);
      return result;
    },
  };
}

/** A list is at most 500 tasks of a few lines. Bytes. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** @param path absolute. @throws PawlError `file_*`, also when the file holds something else, which is not overwritten. */
export function sharedTaskList(path: string, files: Pick<WorkspaceFiles, "readText" | "writeText">): TaskListStore {
  async function read(): Promise<TaskList> {
    const text = await textOf(path, files);
    if (text === undefined) return storedTasks(undefined);
    const value = parsed(text);
    const list = storedTasks(value);
    if (list === value) return list;
    throw new PawlError("file_encoding", `${path} holds no task list: move it away, or name another list.`);
  }
  return {
    read,
    change: (change) =>
      withFileLock(path, async () => {
        const { list, result } = change(await read());
        if (list !== undefined) await files.writeText(path, { text: listText(path, list), hasBom: false });
        return result;
      }),
  };
}

/** What could not be read again is not written. */
function listText(path: string, list: TaskList): string {
  const text = `${JSON.stringify(list)}\n`;
  if (Buffer.byteLength(text) <= MAX_LIST_BYTES) return text;
  const limit = `${MAX_LIST_BYTES / (1024 * 1024)} MB`;
  throw new PawlError("file_too_large", `The tasks in ${path} would be more than ${limit}: shorten or delete some.`);
}

async function textOf(path: string, files: Pick<WorkspaceFiles, "readText">): Promise<string | undefined> {
  try {
    const bounds = { signal: new AbortController().signal, maxBytes: MAX_LIST_BYTES };
    return (await files.readText(path, bounds)).text;
  } catch (error) {
    if (error instanceof PawlError && error.code === "file_missing") return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
