import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { Readable } from "node:stream";
import { messageOf, systemCode } from "../lib/error.ts";
import { createOutputCapture, type OutputCapture } from "./output-capture.ts";
import { endGroup, killTree } from "./process-tree.ts";
import type { ShellResult } from "./shell.ts";

/** How long the output of a command that has ended may come late: from `>(tee log)`, or from what it left running. */
export const LATE_OUTPUT_MS = 200;
/** A background child that goes on writing is not listened to for longer than this. Milliseconds. */
const MAX_LATE_OUTPUT_MS = 2_000;
/** A call that is stopped settles by then, also on a machine too busy to end its processes in their own time. */
const STOP_BOUND_MS = 900;
/** Once all are killed their last output is in the pipes already. */
const DRAIN_MS = 50;
/** A command that writes more is ended: nobody reads it, and it wears the machine out. */
const MAX_TOTAL_OUTPUT_BYTES = 5 * 1024 ** 3;
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_PATH_BYTES = 4_096;

export type ChildRequest = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The value that marks this call's processes in `env`. */
  marker: string;
  timeoutMs: number;
  maxOutputBytes: number;
  keep: "ends" | "head";
  maxTotalOutputBytes?: number;
  /** Whether it writes its last working directory to descriptor 3. */
  reportsCwd: boolean;
};

/** A program with all that it starts. */
export type Child = {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly result: Promise<ShellResult>;
  /** Ends the whole tree; `result` then settles within a second. */
  stop(): void;
};

type StopReason = "abort" | "timeout" | "output";
type Stopping = { readonly reason: Promise<StopReason>; stop(reason: StopReason): void };
type StartedChild = ChildProcess & { readonly pid: number };

export function startChild(request: ChildRequest): Child {
  const startedMs = performance.now();
  const stopping = createStopping();
  const stop = () => stopping.stop("abort");
  const child = spawnChild(request);
  if (child instanceof Error) return { pid: undefined, result: Promise.resolve(notStarted(request, child)), stop };
  if (!isStarted(child)) {
    const failed = once(child, "error").then(([error]) => notStarted(request, error));
    return { pid: undefined, result: failed, stop };
  }
  return { pid: child.pid, result: follow(child, request, stopping, startedMs), stop };
}

function createStopping(): Stopping {
  let stop: (reason: StopReason) => void = () => {};
  const reason = new Promise<StopReason>((resolve) => {
    stop = resolve;
  });
  return { reason, stop };
}

const isStarted = (child: ChildProcess): child is StartedChild => child.pid !== undefined;

/** Some failures to start are thrown, others come as an event of a child without a pid. */
function spawnChild({ file, args, cwd, env, reportsCwd }: ChildRequest): ChildProcess | Error {
  try {
    // `detached` makes a session of its own: no controlling terminal to ask on, and one group to signal.
    const stdio = ["ignore", "pipe", "pipe", ...(reportsCwd ? ["pipe" as const] : [])] as const;
    return spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] });
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

async function follow(
  child: StartedChild,
  request: ChildRequest,
  stopping: Stopping,
  startedMs: number,
): Promise<ShellResult> {
  const output = readOutput(child, request, stopping);
  const timer = setTimeout(() => stopping.stop("timeout"), Math.min(request.timeoutMs, MAX_TIMER_MS));
  let isClosed = false;
  const closed = happening(child, "close").then(() => {
    isClosed = true;
  });
  const ended = happening(child, "exit").then(async () => {
    clearTimeout(timer);
    await lateOutput(closed, output);
    return undefined;
  });

  const stopped = await Promise.race([stopping.reason, ended]);
  clearTimeout(timer);
  let endedLeftovers = false;
  if (stopped === undefined) endedLeftovers = await endGroup(child.pid);
  else await within(killTree(child.pid, request.marker), STOP_BOUND_MS);
  if (!isClosed) await within(closed, DRAIN_MS);
  abandon(child);

  const stdout = output.stdout.end();
  const stderr = output.stderr.end();
  const finalCwd = output.cwd.end().text.replace(/\n$/, "");
  return {
    exitCode: child.exitCode,
    killedBy: child.signalCode,
    stdout: stdout.text,
    stderr: stderr.text,
    omittedBytes: stdout.omittedBytes + stderr.omittedBytes,
    timedOut: stopped === "timeout",
    aborted: stopped === "abort",
    durationMs: performance.now() - startedMs,
    ...(finalCwd.startsWith("/") && { finalCwd }),
    ...(endedLeftovers && { endedLeftovers }),
    ...(stopped === "output" && { exceededOutput: true }),
  };
}

/** Waits while output still comes: on a busy machine what was written before the end may be read late. */
async function lateOutput(closed: Promise<void>, { stdout, stderr }: Output): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  const endMs = performance.now() + MAX_LATE_OUTPUT_MS;
  const total = () => stdout.totalBytes + stderr.totalBytes;
  for (let before = -1; !isClosed && total() !== before && performance.now() < endMs; ) {
    before = total();
    await within(closed, LATE_OUTPUT_MS);
    // A timer that is late comes before the bytes that are there: they are let in first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Output = { stdout: OutputCapture; stderr: OutputCapture; cwd: OutputCapture };

function readOutput(child: ChildProcess, request: ChildRequest, stopping: Stopping): Output {
  const { maxOutputBytes, keep, maxTotalOutputBytes = MAX_TOTAL_OUTPUT_BYTES } = request;
  const stdout = createOutputCapture(maxOutputBytes, keep);
  const stderr = createOutputCapture(maxOutputBytes, keep);
  const cwd = createOutputCapture(MAX_PATH_BYTES, "head");
  const checkTotal = () => {
    if (stdout.totalBytes + stderr.totalBytes > maxTotalOutputBytes) stopping.stop("output");
  };
  read(child.stdout, stdout, checkTotal);
  read(child.stderr, stderr, checkTotal);
  read(child.stdio[3], cwd);
  return { stdout, stderr, cwd };
}

function read(stream: unknown, capture: OutputCapture, onChunk?: () => void): void {
  if (!(stream instanceof Readable)) return;
  stream.on("data", (chunk: Buffer) => {
    capture.write(chunk);
    onChunk?.();
  });
  // What came until then counts; the stream closes itself after an error.
  stream.on("error", () => {});
}

/** Lets go of what a descendant may still hold open; nothing of the call keeps our process alive. */
function abandon(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

const happening = (child: ChildProcess, event: "exit" | "close") =>
  new Promise<void>((resolve) => child.once(event, () => resolve()));

/** Settles with the promise, or after the time without it. */
function within(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const noRun = { exitCode: null, killedBy: null, stdout: "", stderr: "", omittedBytes: 0, timedOut: false };

/** The result of a call that was aborted before it began. */
export const abortedBeforeStart: ShellResult = { ...noRun, aborted: true, durationMs: 0 };

/** The result of a call that could not begin. */
export const failedToStart = (failure: string): ShellResult => ({ ...noRun, aborted: false, durationMs: 0, failure });

function notStarted({ file, cwd }: ChildRequest, error: unknown): ShellResult {
  // The system says "no such file" of the program and of the working directory alike.
  if (!isDirectory(cwd)) return failedToStart(`The working directory ${cwd} does not exist or cannot be entered.`);
  switch (systemCode(error)) {
    case "ENOENT":
      return failedToStart(`The program ${file} was not found.`);
    case "EACCES":
      return failedToStart(`The program ${file} may not be run (permission denied).`);
    case "E2BIG":
      return failedToStart("The command line is too long for the system. Put the long part in a file.");
    case "ERR_INVALID_ARG_VALUE":
      return failedToStart(`The command line or a variable is not valid: ${messageOf(error)}`);
    default:
      return failedToStart(`${file} could not be started: ${messageOf(error)}`);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
