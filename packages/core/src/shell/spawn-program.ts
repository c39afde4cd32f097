import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { messageOf, systemCode } from "../lib/error.ts";

/** A program that was started has a pid; of one that was not, `failure` says why. */
type Spawned<Process extends ChildProcess> =
  | { child: Process & { readonly pid: number } }
  | { failure: Promise<string> };

/** Starts a program by `spawn`. Some failures to start are thrown, others come as an event of a child without a pid. */
export function spawnProgram<Process extends ChildProcess>(
  program: { file: string; cwd: string },
  spawn: () => Process,
): Spawned<Process> {
  let child: Process;
  try {
    child = spawn();
  } catch (error) {
    return { failure: Promise.resolve(notStarted(program, error)) };
  }
  if (hasPid(child)) return { child };
  return { failure: once(child, "error").then(([error]) => notStarted(program, error)) };
}

const hasPid = <Process extends ChildProcess>(child: Process): child is Process & { readonly pid: number } =>
  child.pid !== undefined;

function notStarted({ file, cwd }: { file: string; cwd: string }, error: unknown): string {
  // The system says "no such file" of the program and of the working directory alike.
  if (!isDirectory(cwd)) return `The working directory ${cwd} does not exist or cannot be entered.`;
  switch (systemCode(error)) {
    case "ENOENT":
      return `The program ${file} was not found.`;
    case "EACCES":
      return `The program ${file} may not be run (permission denied).`;
    case "E2BIG":
      return "The command line is too long for the system. Put the long part in a file.";
    case "ERR_INVALID_ARG_VALUE":
      return `The command line or a variable is not valid, so that ${file || "nothing"} could not be started: ${messageOf(error)}`;
    default:
      return `${file} could not be started: ${messageOf(error)}`;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or in a folder that may not be entered
  }
}

/** Lets go of what a descendant may still hold open; nothing of the program keeps our process alive. */
export function abandon(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}
