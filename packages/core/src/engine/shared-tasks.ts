import { join } from "node:path";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { envVar } from "../settings/env-var.ts";
import { sharedTaskList, type TaskListStore } from "../tools/builtin/task-list-store.ts";
import { badOption } from "./check-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The list that the environment names, for sessions that share one. @throws PawlError `bad_option`. */
export function sharedTasks(env: Environment, configHome: string, files: WorkspaceFiles): TaskListStore | undefined {
  const id = envVar(env, "TASK_LIST_ID");
  if (id === undefined) return undefined;
  if (!/^\w[\w.-]{0,99}$/.test(id))
    throw badOption("PAWL_TASK_LIST_ID", `is "${id}"; use letters, digits, "-" and "_"`);
  return sharedTaskList(join(configHome, "tasks", `${id}.json`), files);
}
