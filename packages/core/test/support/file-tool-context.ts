import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import type { Shell } from "../../src/shell/shell.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

/** For tests of tools: real files in a temporary folder, which is the cwd. `dispose` removes it. */
export type TestContext = ToolContext & { cwd: string; dispose(): Promise<void> };

export async function testContext(given: { shell?: Shell; signal?: AbortSignal } = {}): Promise<TestContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-tool-")));
  const parts = new Map<string, unknown>();
  const files = localFiles();
  const context: TestContext = {
    toolUseId: "toolu_test" as ToolUseId,
    signal: given.signal ?? new AbortController().signal,
    cwd: folder,
    roots: [folder],
    setCwd: (path) => {
      context.cwd = path;
    },
    files,
    readState: createFileStateCache(),
    shell: given.shell ?? noShell,
    state: {
      get: (part) => parts.get(part),
      set: async (part, value) => void parts.set(part, value),
    },
    async storeOutput(name, text) {
      const path = join(folder, "tool-results", name);
      await files.writeText(path, { text, hasBom: false });
      return path;
    },
    progress: () => {},
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
  return context;
}

const noShell: Shell = {
  run: () => Promise.reject(new Error("this test has no shell")),
  exec: () => Promise.reject(new Error("this test has no shell")),
};
