import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program or library on this machine, and what is missing without it. */
export type Found = { name: string; path?: string; isNeeded: boolean; use: string };

/** Looks for what sessions make use of, and starts none of it. */
export function findPrograms(env: Environment): Found[] {
  return [
    found("shell", shellPath(env), true, "running commands (bash or zsh)"),
    found("git", onPath("git", env), false, "knowing the state of a repository"),
    found("rg", onPath("rg", env) ?? ofCore("@vscode/ripgrep"), true, "searching (one comes with the program)"),
    found("pdftoppm", onPath("pdftoppm", env), false, "showing pages of a PDF to the model"),
    found("sharp", ofCore("sharp"), false, "making large pictures smaller"),
  ];
}

const found = (name: string, path: string | undefined, isNeeded: boolean, use: string): Found => ({
  name,
  ...(path === undefined ? {} : { path }),
  isNeeded,
  use,
});

const shellNames = ["PAWL_SHELL", "CLAUDE_CODE_SHELL", "CLAUDE_SHELL", "ANTHROPIC_SHELL"] as const;

/** The one that a session takes: a shell that is named, or none when that cannot be run. */
function shellPath(env: Environment): string | undefined {
  const named = shellNames.map((name) => env[name]).find((path) => path !== undefined && path !== "");
  if (named !== undefined) return isProgram(named) ? named : undefined;
  const own = env["SHELL"];
  const candidates = [...(own !== undefined && /\/(?:ba|z)sh$/.test(own) ? [own] : []), "/bin/bash", "/bin/sh"];
  return candidates.find(isProgram);
}

/** A relative part of PATH means another folder each time: it is passed over. */
function onPath(name: string, env: Environment): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // whatever keeps us from it, it cannot be run
  }
}

/** Where the engine would load a package from. */
function ofCore(name: string): string | undefined {
  try {
    return createRequire(import.meta.resolve("@pawl/core")).resolve(name);
  } catch {
    return undefined;
  }
}
