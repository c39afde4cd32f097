import { localFiles } from "../../src/files/local-files.ts";
import type { WorkspaceFiles } from "../../src/files/workspace-files.ts";
import type { ToolUseId } from "../../src/messages/message.ts";
import { decidePermission } from "../../src/permissions/decide.ts";
import { type CallDeps, callTool, type FinalDecision } from "../../src/tools/call.ts";
import type { Tool, ToolOutcome } from "../../src/tools/tool.ts";
import type { TestContext } from "../support/file-tool-context.ts";

type GuardedCalls = { call(tool: Tool, input: object): Promise<ToolOutcome> };

/**
 * Calls of tools with a real decision in mode `acceptEdits`: what is in the folder of `context` is allowed, and what would be
 * asked is denied. `decided` runs between the decision and the tool.
 */
export function guardedCalls(
  context: TestContext,
  { decided = async () => {}, files = () => localFiles().pinned() }: GuardedOptions = {},
): GuardedCalls {
  const id = "toolu_guarded" as ToolUseId;
  const deps: Omit<CallDeps, "findTool"> = {
    async decide({ tool, input, touches, isReadOnly, files: asked }) {
      const decision = await decidePermission(
        { tool: tool.name, input, touches, isReadOnly },
        {
          mode: "acceptEdits",
          rules: { allow: [], ask: [], deny: [] },
          cwd: context.cwd,
          startCwd: context.cwd,
          directories: context.roots,
          home: "/nobody",
          configHome: "/nobody/.pawl",
          files: asked,
        },
      );
      await decided();
      if (decision.behavior !== "ask") return decision;
      return { behavior: "deny", message: "asked", because: decision.because } satisfies FinalDecision;
    },
    pinnedFiles: files,
    contextOf: (_, signal, files) => ({ ...context, signal, files }),
    recordIntent: async () => {},
    recordOutcome: async () => {},
    boundResult: async (_tool, _id, result) => result,
  };
  return {
    call: (tool, input) =>
      callTool({ id, name: tool.name, input }, new AbortController().signal, { ...deps, findTool: () => tool }),
  };
}

type GuardedOptions = { decided?: () => Promise<void>; files?: () => WorkspaceFiles };
