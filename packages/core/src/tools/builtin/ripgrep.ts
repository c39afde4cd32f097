import { isAbsolute, relative, sep } from "node:path";
import type { ShellResult } from "../../shell/shell.ts";
import type { ToolContext, ToolResult } from "../tool.ts";

export type RipgrepOptions = {
  /** Absolute path of ripgrep; default the one that comes with the engine, then `rg` on the PATH. */
  rgPath?: string;
  timeoutMs?: number;
};

/** A search of a whole home directory ends here, with what it has found. */
const DEFAULT_TIMEOUT_MS = 20_000;
/** Of its output at most this much is read. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * What every search sees, whichever tool runs it: hidden files too, never the insides of `.git`, nothing that an ignore
 * file names, also where there is no repository. Links are not followed, so a cycle of them is harmless.
 */
const sameView = ["--no-config", "--color=never", "--hidden", "--no-require-git", "--glob=!**/.git"];

/** Runs ripgrep in `cwd`. The head of its output is kept; `timedOut` or `omittedBytes` say that there would be more. */
export async function ripgrep(
  args: readonly string[],
  cwd: string,
  { shell, signal }: ToolContext,
  { rgPath, timeoutMs = DEFAULT_TIMEOUT_MS }: RipgrepOptions,
): Promise<ShellResult> {
  const file = rgPath ?? (await bundledRipgrep()) ?? "rg";
  const options = { cwd, timeoutMs, signal, maxOutputBytes: MAX_OUTPUT_BYTES, keep: "head" } as const;
  return shell.exec({ file, args: [...sameView, ...args], ...options });
}

/** Undefined where the package for this platform is not installed. */
async function bundledRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

const UNREADABLE_PATH = /\(os error \d+\)/;

/** Why a search gave nothing at all, or undefined when it ran. */
export function searchFailure(result: ShellResult): string | undefined {
  if (result.aborted) return "The search was interrupted.";
  if (result.failure !== undefined) {
    return `ripgrep could not be started: ${result.failure} Install the optional dependencies of the engine, or ripgrep (rg) on the PATH.`;
  }
  // 2 is also given when some path could not be read and the others were searched.
  if (result.exitCode === 2 && result.stdout === "" && !UNREADABLE_PATH.test(result.stderr))
    return result.stderr.trim();
  return undefined;
}

/** Whether more would have been found; the sentence says why. */
export function incompleteNote(result: ShellResult): string | undefined {
  if (result.timedOut) {
    const seconds = Math.round(result.durationMs / 1000);
    return `The search was stopped after ${seconds} s: these results are incomplete. Search a smaller path or with a narrower pattern.`;
  }
  if (result.omittedBytes > 0) return "Too much was found to list: these results are incomplete. Narrow the search.";
  return undefined;
}

/** The entries of output that ends each with NUL. A last one without is cut off and left out. */
export const nulEntries = (output: string): string[] => output.split("\0").slice(0, -1);

/** A path as a result shows it: relative to the working directory when it lies below it, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below;
}

/** A call that could not be carried out. */
export const searchError = (text: string): ToolResult => ({
  content: text,
  isError: true,
  structured: `Error: ${text}`,
});
