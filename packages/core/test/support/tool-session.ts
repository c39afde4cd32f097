import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import { localShell } from "../../src/shell/run.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

/** A session over real files and real processes for one call of a tool, and what the tool did with it. */
export type ToolSession = {
  context: ToolContext;
  abort(): void;
  /** The session's directory after the call. */
  cwd(): string;
  /** Texts given to be stored, by path. */
  stored: ReadonlyMap<string, string>;
};

export function toolSession(root: string, more: { cwd?: string; env?: Record<string, string> } = {}): ToolSession {
  const stored = new Map<string, string>();
  const aborting = new AbortController();
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
    shell: localShell({ env: { ...process.env, ...more.env }, shellPath: "/bin/bash" }),
    state: { get: () => undefined, set: async () => {} },
    async storeOutput(name, text) {
      const path = `/stored/${name}.txt`;
      stored.set(path, text);
      return path;
    },
    progress: () => {},
  };
  return { context, abort: () => aborting.abort(), cwd: () => cwd, stored };
}
