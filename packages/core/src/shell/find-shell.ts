import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import type { Environment } from "./child-env.ts";

export type FoundShell = { path: string } | { failure: string };

/** Shells that are known to read some things differently. */
export const shellNames = ["bash", "zsh", "sh"] as const;
export type ShellName = (typeof shellNames)[number];

/** Shells that read what the model writes for bash. */
const userShells: readonly string[] = ["bash", "zsh"];
const fallbackShells = ["/bin/bash", "/bin/sh"];

/** The shell that was named; else the user's if it is bash or zsh, then bash, then sh. */
export function findShell(shellPath: string | undefined, env: Environment): FoundShell {
  if (shellPath !== undefined) {
    if (isExecutable(shellPath)) return { path: shellPath };
    return { failure: `The shell ${shellPath} cannot be run. Set PAWL_SHELL to the path of bash or zsh, or unset it.` };
  }
  const own = env["SHELL"];
  const candidates = [...(own !== undefined && userShells.includes(basename(own)) ? [own] : []), ...fallbackShells];
  const path = candidates.find(isExecutable);
  if (path !== undefined) return { path };
  return { failure: `No shell was found (tried ${candidates.join(", ")}). Set PAWL_SHELL to the path of bash or zsh.` };
}

/** Which of the known shells it is, by the name of its file. */
export function shellName(found: FoundShell): ShellName | undefined {
  if ("failure" in found) return undefined;
  return shellNames.find((name) => new RegExp(`^${name}(?![a-z])`).test(basename(found.path)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
