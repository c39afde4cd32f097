import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { deferred } from "../lib/deferred.ts";
import { within } from "../lib/within.ts";
import { type ChildOutput, type EndedOutput, readChildOutput } from "./child-output.ts";
import type { OutputLog } from "./output-log.ts";
import { endGroup, killTree, watchTree } from "./process-tree.ts";
import type { ShellResult } from "./shell.ts";
import { abandon, spawnProgram } from "./spawn-program.ts";

/** How long the output of a command that has ended may come late: from `>(tee log)`, or from what it left running. */
const LATE_OUTPUT_MS = 200;
/** A background child that goes on writing is not listened to for longer than this. Milliseconds. */
const MAX_LATE_OUTPUT_MS = 2_000;
/** A call that is stopped settles by then, also on a machine too busy to end its processes in their own time. */
const STOP_BOUND_MS = 900;
/** Once all are killed their last output is in the pipes already. */
const DRAIN_MS = 50;
/** A command that writes more is ended: nobody reads it, and it wears the machine out. */
const MAX_TOTAL_OUTPUT_BYTES = 5 * 1024 ** 3;
const MAX_TIMER_MS = 2 ** 31 - 1;

export type ChildRequest = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The value that marks this call's processes in `env`. */
  marker: string;
  timeoutMs: number;
  /** Default: it is ended. */
  atTimeout?: "end" | "tell";
  maxOutputBytes: number;
  keep: "ends" | "head";
  /** Whether escape sequences and redraws are taken out of the output. */
  isPlain?: boolean;
  /** Makes the file for an output of more than `maxOutputBytes`. */
  newLog?: () => OutputLog;
  onStdout?: (text: Buffer) => void;
  maxTotalOutputBytes?: number;
  /** Whether it writes its last working directory to descriptor 3. */
  reportsCwd: boolean;
};

/** A program with all that it starts. */
export type Child = {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly result: Promise<ShellResult>;
  /** Resolves when its time is over and it was not ended for that. */
  readonly timeUp: Promise<void>;
  /** Ends the whole tree; `result` then settles within a second. */
  stop(): void;
  /** It goes on with all its output in the log, and is ended when this new time is over. */
  goOn(log: OutputLog, timeoutMs: number): void;
};

type StopReason = "abort" | "timeout" | "output";
type StartedChild = ChildProcess & { readonly pid: number };

export function startChild(request: ChildRequest): Child {
  const { file, args, cwd, env, reportsCwd } = request;
  // `detached` makes a session of its own: no controlling terminal to ask on, and one group to signal.
  const stdio = ["ignore", "pipe", "pipe", ...(reportsCwd ? ["pipe" as const] : [])] as const;
  const started = spawnProgram(request, () => spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] }));
  return "failure" in started ? unstarted(started.failure.then(failedToStart)) : followed(started.child, request);
}

const unstarted = (result: Promise<ShellResult>): Child => ({
  pid: undefined,
  result,
  timeUp: new Promise(() => {}),
  stop: () => {},
  goOn: () => {},
});

function followed(child: StartedChild, request: ChildRequest): Child {
  const stopping = deferred<StopReason>();
  const timeUp = deferred<void>();
  const output = readChildOutput(child, {
    ...request,
    isPlain: request.isPlain === true,
    onTotal(bytes) {
      if (bytes > (request.maxTotalOutputBytes ?? MAX_TOTAL_OUTPUT_BYTES)) stopping.resolve("output");
    },
  });
  // Such a pipe leads both ways, and what finds no terminal asks on its standard error, as vim does: it reads an end there.
  if (child.stderr instanceof Socket) child.stderr.end();
  const onTime = () => (request.atTimeout === "tell" ? timeUp.resolve() : stopping.resolve("timeout"));
  let timer = setTimeout(onTime, Math.min(request.timeoutMs, MAX_TIMER_MS));
  const result = follow(child, request, stopping.promise, output, () => clearTimeout(timer));
  return {
    pid: child.pid,
    result,
    timeUp: timeUp.promise,
    stop: () => stopping.resolve("abort"),
    goOn(log, timeoutMs) {
      output.startLog(log);
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      timer = setTimeout(() => stopping.resolve("timeout"), Math.min(timeoutMs, MAX_TIMER_MS));
    },
  };
}

async function follow(
  child: StartedChild,
  { marker }: ChildRequest,
  stopping: Promise<StopReason>,
  output: ChildOutput,
  stopTimer: () => void,
): Promise<ShellResult> {
  const startedMs = performance.now();
  const tree = watchTree(child.pid);
  let isClosed = false;
  const closed = eventOf(child, "close").then(() => {
    isClosed = true;
  });
  const ended = eventOf(child, "exit").then(async () => {
    stopTimer();
    await lateOutput(closed, output);
    return undefined;
  });

  const stopped = await Promise.race([stopping, ended]);
  stopTimer();
  let endedLeftovers = false;
  if (stopped === undefined) {
    tree.stop();
    endedLeftovers = await endGroup(child.pid);
  } else {
    await within(killTree(child.pid, marker, tree), STOP_BOUND_MS);
  }
  if (!isClosed) await within(closed, DRAIN_MS);
  abandon(child);

  const written = await output.end();
  return {
    ...outputFields(written),
    exitCode: child.exitCode,
    killedBy: child.signalCode,
    timedOut: stopped === "timeout",
    aborted: stopped === "abort",
    durationMs: performance.now() - startedMs,
    ...(written.cwd.startsWith("/") && { finalCwd: written.cwd }),
    ...(endedLeftovers && { endedLeftovers }),
    ...(stopped === "output" && { exceededOutput: true }),
  };
}

function outputFields({ stdout, stderr, log }: EndedOutput) {
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    omittedBytes: stdout.omittedBytes + stderr.omittedBytes,
    ...(log && { outputPath: log.path, outputBytes: log.totalBytes }),
    ...(log?.isCut && { isOutputCut: true }),
    ...(log?.failure !== undefined && { outputFailure: log.failure }),
  };
}

/** Waits while output still comes: on a busy machine what was written before the end may be read late. */
async function lateOutput(closed: Promise<void>, output: ChildOutput): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  const endMs = performance.now() + MAX_LATE_OUTPUT_MS;
  for (let before = -1; !isClosed && output.totalBytes !== before && performance.now() < endMs; ) {
    before = output.totalBytes;
    await within(closed, LATE_OUTPUT_MS);
    // A timer that is late comes before the bytes that are there: they are let in first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const eventOf = (child: ChildProcess, event: "exit" | "close") =>
  new Promise<void>((resolve) => child.once(event, () => resolve()));

const noRun = { exitCode: null, killedBy: null, stdout: "", stderr: "", omittedBytes: 0, timedOut: false };

/** The result of a call that was aborted before it began. */
export const abortedBeforeStart: ShellResult = { ...noRun, aborted: true, durationMs: 0 };

/** The result of a call that could not begin. */
export const failedToStart = (failure: string): ShellResult => ({ ...noRun, aborted: false, durationMs: 0, failure });
