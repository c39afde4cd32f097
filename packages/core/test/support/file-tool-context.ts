import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import type { PermissionMode } from "../../src/permissions/mode.ts";
import type { Shell } from "../../src/shell/shell.ts";
import { sessionTaskList } from "../../src/tools/builtin/task-list-store.ts";
import { createTasks } from "../../src/tools/tasks.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { idleScheduler } from "./idle-scheduler.ts";

/** For tests of tools: real files in a temporary folder, which is the cwd. `dispose` removes it. */
export type TestContext = ToolContext & { cwd: string; dispose(): Promise<void> };

export async function testContext(given: { shell?: Shell; signal?: AbortSignal } = {}): Promise<TestContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-tool-")));
  const parts = new Map<string, unknown>();
  const files = localFiles();
  let mode: PermissionMode = "default";
  const state: ToolContext["state"] = {
    get: (part) => parts.get(part),
    set: async (part, value) => void parts.set(part, value),
  };
  const context: TestContext = {
    toolUseId: "toolu_test" as ToolUseId,
    signal: given.signal ?? new AbortController().signal,
    cwd: folder,
    roots: [folder],
    mode: {
      get: () => mode,
      set: async (changed) => {
        mode = changed;
      },
    },
    planPath: join(folder, "plans", "plan.md"),
    setCwd: (path) => {
      context.cwd = path;
    },
    files,
    readState: createFileStateCache(),
    shell: given.shell ?? noShell,
    state,
    taskList: sessionTaskList(state),
    async storeOutput(name, text) {
      const path = join(folder, "tool-results", name);
      await files.writeText(path, { text, hasBom: false });
      return path;
    },
    progress: () => {},
    tasks: createTasks({ now: Date.now, started: () => {}, ended: () => {} }),
    notify: () => {},
    notifyUser: () => {},
    scheduler: idleScheduler(),
    now: Date.now,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
  return context;
}

const noShell: Shell = {
  run: () => Promise.reject(new Error("this test has no shell")),
  exec: () => Promise.reject(new Error("this test has no shell")),
  start: () => Promise.reject(new Error("this test has no shell")),
  serve: () => Promise.reject(new Error("this test has no shell")),
};
