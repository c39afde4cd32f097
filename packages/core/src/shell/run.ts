import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { within } from "../lib/within.ts";
import { abortedBeforeStart, type Child, type ChildRequest, failedToStart, startChild } from "./child.ts";
import { CALL_MARKER, callMarker, childEnvironment, type Environment } from "./child-env.ts";
import { fileTail } from "./file-tail.ts";
import { createOutputLog, type OutputLog } from "./output-log.ts";
import { endLostCalls, runningCalls } from "./running-calls.ts";
import { serveProgram } from "./served-program.ts";
import type {
  ExecRequest,
  JobRequest,
  ServedProgram,
  ServeRequest,
  Shell,
  ShellJob,
  ShellRequest,
  ShellResult,
} from "./shell.ts";
import { type Program, shellPrograms } from "./shell-program.ts";
import { sweepOutputs } from "./sweep-outputs.ts";

/** What the end of a session waits for the end of what another one left behind. Milliseconds. */
const TIDY_BOUND_MS = 2_000;
/** What the file of one output may hold. Bytes. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

export type LocalShellOptions = {
  /** What children inherit. The pager, editor and prompt variables are replaced, and the model provider's keys left out. */
  env: Environment;
  /** Absolute path of bash, zsh or another POSIX shell. Default: the user's (`SHELL`) if it is bash or zsh, then bash, then sh. */
  shellPath?: string;
  /** Lets children see the model provider's keys, for a project that itself calls the provider. */
  passProviderKeys?: boolean;
  /**
   * Absolute; shared by all sessions of a user. Holds what runs, so that the next start can end what a killed process left
   * behind, and what the user's rc file defines. Without it neither is done.
   */
  stateFolder?: string;
  /** Absolute; takes the outputs of this session's jobs. Default: a temporary one. */
  outputFolder?: string;
  /** What one output file may hold. Bytes. */
  maxLogBytes?: number;
  /** What one command may write before it is ended. Bytes. */
  maxTotalOutputBytes?: number;
  /** What of the search path that the user's rc file sets may be used; default all of it. */
  cleanPath?: (path: string) => string | undefined;
  /** What the user's rc file may take. Milliseconds. */
  rcTimeoutMs?: number;
  onSpawn?: (pid: number) => void;
};

export type LocalShell = Shell & {
  /** What children inherit that start from now on; which shell there is stays as it was found. */
  setEnvironment(env: Environment): void;
  /** Ends what a process that was killed left running, and removes old outputs. Gives how many processes it ended. */
  tidy(): Promise<number>;
  /** Ends every running call and job with its children, within a second. Later calls fail. */
  close(): Promise<void>;
};

/** Runs programs on this machine. Its owner closes it before the process ends. */
export function localShell(options: LocalShellOptions): LocalShell {
  const { env, stateFolder } = options;
  let environment = childEnvironment(env, options.passProviderKeys ?? false);
  const outputFolder = options.outputFolder ?? join(tmpdir(), `pawl-jobs-${randomUUID()}`);
  const record = stateFolder === undefined ? undefined : runningCalls(join(stateFolder, "running"));
  const running = new Set<Child>();
  const served = new Set<ServedProgram>();
  let isClosed = false;
  let isNoticeTold = false;
  let tidying: Promise<number> | undefined;
  const { shellPath, cleanPath, rcTimeoutMs } = options;
  const programs = shellPrograms({ env, shellPath, cleanPath, rcTimeoutMs, record, onStart: hold });

  function begin(request: ShellRequest | ExecRequest | JobRequest, program: Program): Child {
    const marker = callMarker(env, randomUUID());
    record?.begin(marker);
    const child = startChild(childRequest(request, program, marker));
    hold(child);
    void child.result.then(() => record?.end(marker));
    return child;
  }

  async function serve(request: ServeRequest): Promise<ServedProgram | { failure: string }> {
    if (isClosed) return { failure: CLOSED };
    const { file, args, cwd } = request;
    const marker = callMarker(env, randomUUID());
    record?.begin(marker);
    const childEnv = { ...environment, ...request.env, PWD: cwd, [CALL_MARKER]: marker };
    const program = await serveProgram({ file, args, cwd, env: childEnv, marker });
    if ("failure" in program) {
      record?.end(marker);
      return program;
    }
    options.onSpawn?.(program.pid);
    served.add(program);
    void program.ended.then(() => {
      served.delete(program);
      record?.end(marker);
    });
    if (isClosed) program.stop();
    return program;
  }

  function hold(child: Child): void {
    if (child.pid !== undefined) options.onSpawn?.(child.pid);
    running.add(child);
    void child.result.then(() => running.delete(child));
    if (isClosed) child.stop();
  }

  function childRequest(
    request: ShellRequest | ExecRequest | JobRequest,
    program: Program,
    marker: string,
  ): ChildRequest {
    const { cwd, timeoutMs, maxOutputBytes, keep = "ends" } = request;
    const { maxTotalOutputBytes } = options;
    return {
      ...program,
      ...{ cwd, marker, timeoutMs, maxOutputBytes, keep },
      env: { ...environment, ...request.env, PWD: cwd, [CALL_MARKER]: marker },
      isPlain: "output" in request && request.output === "plain",
      atTimeout: "background" in request && request.background !== undefined ? "tell" : "end",
      ...(maxTotalOutputBytes === undefined ? {} : { maxTotalOutputBytes }),
      ...newLogOf(request),
      ...("onStdout" in request && request.onStdout ? { onStdout: request.onStdout } : {}),
    };
  }

  function newLogOf(request: ShellRequest | ExecRequest | JobRequest): Pick<ChildRequest, "newLog"> {
    const name = "outputName" in request ? request.outputName : undefined;
    return name === undefined ? {} : { newLog: () => newLog(name) };
  }

  const newLog = (name: string): OutputLog =>
    createOutputLog(join(outputFolder, `${safeName(name)}.output`), options.maxLogBytes ?? MAX_LOG_BYTES);

  async function call(request: ShellRequest | ExecRequest, program: Program): Promise<ShellResult> {
    if (isClosed) return closedShell();
    if (request.signal.aborted) return abortedBeforeStart;
    const child = begin(request, program);
    // As many calls as an answer has may share one signal; that is no leak to warn of.
    setMaxListeners(0, request.signal);
    request.signal.addEventListener("abort", child.stop);
    try {
      return await Promise.race([child.result, child.timeUp.then(() => moved(child, request))]);
    } finally {
      request.signal.removeEventListener("abort", child.stop);
    }
  }

  /** The call ends here, the command does not. */
  function moved(child: Child, request: ShellRequest | ExecRequest): ShellResult {
    const { outputName = randomUUID(), background } = "background" in request ? request : {};
    const job = jobOf(child, newLog(outputName), background?.timeoutMs ?? 0);
    const nothing = { exitCode: null, killedBy: null, stdout: "", stderr: "", omittedBytes: 0 };
    return { ...nothing, timedOut: true, aborted: false, durationMs: request.timeoutMs, job };
  }

  return {
    async run(request) {
      if (isClosed) return closedShell();
      const program = await programs.programOf(request, environment).catch((error: unknown) => {
        if (request.signal.aborted) return undefined;
        throw error;
      });
      if (program === undefined) return abortedBeforeStart;
      if ("failure" in program) return failedToStart(program.failure);
      const { notice, ...rest } = program;
      const isNew = notice !== undefined && !isNoticeTold;
      isNoticeTold ||= isNew;
      const result = await call(request, rest);
      return isNew ? { ...result, notice } : result;
    },
    exec: (request) => call(request, { file: request.file, args: request.args, reportsCwd: false }),
    async start(request) {
      if (isClosed) return { failure: CLOSED };
      const program = await programs.programOf(request, environment);
      if ("failure" in program) return program;
      if (isClosed) return { failure: CLOSED };
      const child = begin(request, program);
      if (child.pid === undefined) {
        const { failure = "The command could not be started." } = await child.result;
        return { failure };
      }
      return jobOf(child, newLog(request.outputName), request.timeoutMs);
    },
    serve,
    setEnvironment(next) {
      environment = childEnvironment(next, options.passProviderKeys ?? false);
    },
    tidy() {
      tidying ??= stateFolder === undefined ? Promise.resolve(0) : tidy(stateFolder, options.outputFolder);
      return tidying;
    },
    async close() {
      isClosed = true;
      for (const child of [...running, ...served]) child.stop();
      await Promise.all([...[...running].map((child) => child.result), ...[...served].map(({ ended }) => ended)]);
      if (tidying !== undefined) await within(tidying, TIDY_BOUND_MS);
      await programs.settled();
      if (options.outputFolder === undefined) await rm(outputFolder, { recursive: true, force: true });
      record?.close();
    },
  };
}

async function tidy(stateFolder: string, outputFolder: string | undefined): Promise<number> {
  const ended = await endLostCalls(join(stateFolder, "running"));
  if (outputFolder !== undefined) await sweepOutputs(dirname(outputFolder), Date.now());
  return ended;
}

const CLOSED = "The session is ending: nothing is started any more.";
const closedShell = () => failedToStart(CLOSED);

function jobOf(child: Child, log: OutputLog, timeoutMs: number): ShellJob {
  child.goOn(log, timeoutMs);
  const tail = (maxBytes: number) => fileTail(log.path, maxBytes);
  return { outputPath: log.path, tail, result: child.result, stop: child.stop };
}

const safeName = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/g, "-");
