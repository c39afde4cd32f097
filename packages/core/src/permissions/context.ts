import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { PermissionMode } from "./mode.ts";
import type { RuleSet } from "./rule-set.ts";
import type { Touch } from "./touch.ts";

/** One call that wants to happen. */
export type PermissionRequest = {
  tool: string;
  input: Record<string, unknown>;
  touches: readonly Touch[];
  isReadOnly: boolean;
};

/** Where and under which rules a call is judged. All paths are absolute. */
export type PermissionContext = {
  mode: PermissionMode;
  rules: RuleSet;
  /** The session's current directory. */
  cwd: string;
  /** Where the session started: the anchor of `/path` in rules that have no folder of their own. */
  startCwd: string;
  /** Real paths of the working directories: the start directory and the added ones. */
  directories: readonly string[];
  /** Real paths that may be read without asking but not written, such as the folder of stored tool results. */
  readableDirectories?: readonly string[];
  home: string;
  configHome: string;
  /** Without `list` nothing that a pattern such as `*.ts` matches is known to lie where it seems to. */
  files: Pick<WorkspaceFiles, "realPath" | "stat" | "list">;
};
