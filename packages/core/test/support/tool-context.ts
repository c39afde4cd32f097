import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import { type LocalShell, localShell } from "../../src/shell/run.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

/** A call's context over the real file system and real processes, and what the tool did with it. */
export type TestContext = {
  context: ToolContext;
  shell: LocalShell;
  abort(): void;
  /** The session's directory after the call. */
  cwd(): string;
  /** Texts given to be stored, by path. */
  stored: ReadonlyMap<string, string>;
};

export function toolContext(root: string, more: { cwd?: string; env?: Record<string, string> } = {}): TestContext {
  const stored = new Map<string, string>();
  const aborting = new AbortController();
  const shell = localShell({ env: { ...process.env, ...more.env }, shellPath: "/bin/bash" });
  let cwd = more.cwd ?? root;
  const context: ToolContext = {
    toolUseId: "toolu_1" as ToolUseId,
    signal: aborting.signal,
    cwd,
    roots: [root],
    setCwd(path) {
      cwd = path;
    },
    files: localFiles(),
    readState: createFileStateCache(),
    shell,
    state: { get: () => undefined, set: async () => {} },
    async storeOutput(name, text) {
      const path = `/stored/${name}.txt`;
      stored.set(path, text);
      return path;
    },
    progress: () => {},
  };
  return { context, shell, abort: () => aborting.abort(), cwd: () => cwd, stored };
}
