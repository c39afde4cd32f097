import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { ShellName } from "../shell/find-shell.ts";
import type { PermissionMode } from "./mode.ts";
import type { Platform } from "./platform.ts";
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
  /** Whether the session may bypass permissions, whatever its mode is now. */
  isBypassAvailable?: boolean;
  rules: RuleSet;
  /** The session's current directory. */
  cwd: string;
  /** Where the session started: the anchor of `/path` in rules that have no folder of their own. */
  startCwd: string;
  /** Real paths of the working directories: the start directory and the added ones. */
  directories: readonly string[];
  /** Real paths that may be read without asking but not written, such as the folder of stored tool results. */
  readableDirectories?: readonly string[];
  /** Real path of the session's plan: written freely in mode `plan`. */
  planPath?: string;
  home: string;
  configHome: string;
  /** What runs command lines: zsh may read `^x`, `x~y` and `x#` as patterns. */
  shell?: ShellName;
  /** Whose names of files they are; default the platform that this runs on. */
  platform?: Platform;
  /** What git may start when it only looks at the repository around a folder, named for people; without it nothing. */
  gitPrograms?: (cwd: string) => Promise<readonly string[]>;
  /** Without `list` nothing that a pattern such as `*.ts` matches is known to lie where it seems to. */
  files: Pick<WorkspaceFiles, "realPath" | "stat" | "list"> & Partial<Pick<WorkspaceFiles, "readHead">>;
};
