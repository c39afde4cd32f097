import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { ToolUseId } from "../messages/message.ts";
import type { ReadAccess } from "../permissions/read-access.ts";
import type { Session } from "./session.ts";

/** What the rules of this session let be read, as they stand when they are asked. `files`: those of the call. */
export function readAccess({ config }: Session, toolUseId: ToolUseId, files: WorkspaceFiles): ReadAccess {
  return {
    async decide(path) {
      const tool = config.tools.find(({ name }) => name === "Read");
      if (tool === undefined) return "deny";
      const touches = [{ type: "read" as const, path }];
      const call = { tool, toolUseId, input: { file_path: path }, touches, isReadOnly: true, files };
      return (await config.decide(call, config.appState.get())).behavior;
    },
    async below(folder) {
      return config.readFilter?.(folder, config.appState.get());
    },
  };
}
