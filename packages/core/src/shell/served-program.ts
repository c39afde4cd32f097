import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { deferred } from "../lib/deferred.ts";
import { within } from "../lib/within.ts";
import { endGroup, killTree, watchTree } from "./process-tree.ts";
import type { ServedEnd, ServedProgram } from "./shell.ts";
import { abandon, spawnProgram } from "./spawn-program.ts";

/** What is kept of the end of its stderr. Characters. */
const MAX_STDERR_CHARS = 4_000;
/** A program that is stopped has ended by then, also on a machine too busy to end it in its own time. */
const STOP_BOUND_MS = 800;
/** The system tells of an end a little later. */
const EXIT_NEWS_MS = 200;

type Request = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The value that marks its processes in `env`. */
  marker: string;
};

/** Starts a program that is spoken with over stdin and stdout. It and all that it starts end together. */
export async function serveProgram(request: Request): Promise<(ServedProgram & { pid: number }) | { failure: string }> {
  const { file, args, cwd, env, marker } = request;
  const started = spawnProgram(request, () =>
    spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] }),
  );
  return "failure" in started ? { failure: await started.failure } : followed(started.child, marker);
}

function followed(child: ChildProcessWithoutNullStreams & { readonly pid: number }, marker: string) {
  const { pid } = child;
  const tree = watchTree(pid);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS).toWellFormed();
  });
  // Who writes to a program that has just ended is told by its end.
  child.stdin.on("error", () => {});
  child.on("error", () => {});
  const stopping = deferred<"stop">();
  const exited = new Promise<"exit">((resolve) => child.once("exit", () => resolve("exit")));
  const ended = Promise.race([stopping.promise, exited]).then(async (how): Promise<ServedEnd> => {
    if (how === "stop") {
      await within(killTree(pid, marker, tree), STOP_BOUND_MS);
      await within(exited, EXIT_NEWS_MS);
    } else {
      tree.stop();
      await endGroup(pid);
    }
    abandon(child);
    return { exitCode: child.exitCode, killedBy: child.signalCode, stderr: stderr.trim() };
  });
  return { pid, stdin: child.stdin, stdout: child.stdout, ended, stop: () => stopping.resolve("stop") };
}
