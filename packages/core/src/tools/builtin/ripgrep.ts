import { isAbsolute, relative, sep } from "node:path";
import type { ShellResult } from "../../shell/shell.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { errorResult, refusal } from "./error-result.ts";

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
  const result = await shell.exec({ file, args: [...sameView, ...args], ...options });
  return { ...result, stderr: result.stderr.replace(BAD_IGNORE_LINE, "") };
}

/**
 * A line of an ignore file that is no pattern is passed over, as git does; it is no failure of the search. ripgrep's own
 * option for that leaves the files of the folders above.
 */
const BAD_IGNORE_LINE = /^.*: line \d+: error parsing glob .*(?:\n|$)/gm;

/** Undefined where the package for this platform is not installed. */
async function bundledRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

const UNREADABLE_PATH = /\(os error \d+\)/;

/** The result of a search that gave nothing at all, or undefined when it ran. */
export function searchFailure(result: ShellResult): ToolResult | undefined {
  if (result.aborted) return errorResult("The search was interrupted.");
  if (result.failure !== undefined) {
    return errorResult(
      `ripgrep could not be started: ${result.failure} Install the optional dependencies of the engine, or ripgrep (rg) on the PATH.`,
    );
  }
  // 2 is also given when some path could not be read and the others were searched.
  const complaint = result.stderr.trim();
  if (result.exitCode === 2 && result.stdout === "" && complaint !== "" && !UNREADABLE_PATH.test(complaint))
    return refusal(complaint);
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

/** For files that were found and are not shown, because a rule wants to be asked before they are read. */
export function askedNote(count: number): string[] {
  if (count === 0) return [];
  const files = count === 1 ? "1 file is" : `${count} files are`;
  return [`(${files} left out, since a rule asks before they are read. Read one by its path to ask.)`];
}

/** The entries of output that ends each with NUL. A last one without is cut off and left out. */
export const nulEntries = (output: string): string[] => output.split("\0").slice(0, -1);

/** A path as a result names it: relative to the working directory when it lies below it, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below;
}

/** The same on a line of text: quoted when a newline or another control character in it would look like more lines. */
export const quotedPath = (path: string): string => (/[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path);
