import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import { type LocalShellOptions, localShell } from "../../src/shell/run.ts";
import { sessionTaskList } from "../../src/tools/builtin/task-list-store.ts";
import { createTasks } from "../../src/tools/tasks.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { idleScheduler } from "./idle-scheduler.ts";

/** A session over real files and real processes for one call of a tool, and what the tool did with it. */
export type ToolSession = {
  context: ToolContext;
  abort(): void;
  /** Ends the session's processes. */
  close(): Promise<void>;
  /** The session's directory after the call. */
  cwd(): string;
  /** Texts given to be stored, by path. */
  stored: ReadonlyMap<string, string>;
};

const noState: ToolContext["state"] = { get: () => undefined, set: async () => {} };

export function toolSession(
  root: string,
  more: { cwd?: string; env?: Record<string, string>; shell?: Partial<LocalShellOptions> } = {},
): ToolSession {
  const stored = new Map<string, string>();
  const aborting = new AbortController();
  let cwd = more.cwd ?? root;
  const shell = localShell({ env: { ...process.env, ...more.env }, shellPath: "/bin/bash", ...more.shell });
  const context: ToolContext = {
    toolUseId: "toolu_1" as ToolUseId,
    signal: aborting.signal,
    cwd,
    roots: [root],
    mode: { get: () => "default", set: async () => {} },
    planPath: `${root}/plan.md`,
    setCwd(path) {
      cwd = path;
    },
    files: localFiles(),
    readState: createFileStateCache(),
    shell,
    state: noState,
    taskList: sessionTaskList(noState),
    async storeOutput(name, text) {
      const path = `/stored/${name}.txt`;
      stored.set(path, text);
      return path;
    },
    progress: () => {},
    tasks: createTasks({ now: Date.now, started: () => {}, ended: () => {} }),
    notify: () => {},
    notifyUser: () => {},
    scheduler: idleScheduler(),
    now: Date.now,
  };
  return { context, abort: () => aborting.abort(), close: shell.close, cwd: () => cwd, stored };
}
