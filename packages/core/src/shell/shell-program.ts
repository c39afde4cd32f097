import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { untilAborted } from "../lib/abort.ts";
import type { Child, ChildRequest } from "./child.ts";
import { CALL_MARKER, callMarker, type Environment } from "./child-env.ts";
import { type FoundShell, findShell } from "./find-shell.ts";
import { type RcSnapshot, takeRcSnapshot } from "./rc-snapshot.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { JobRequest, ShellRequest } from "./shell.ts";
import { scriptFor } from "./shell-script.ts";

export type Program = Pick<ChildRequest, "file" | "args" | "reportsCwd">;

/** `notice`: what the user should know of the shell, such as an rc file that hangs; each time. */
type ShellProgram = Program & { notice?: string };

/** What runs a command line: the user's shell, with what their rc file defines where that is asked for. */
type ShellPrograms = {
  /**
   * `environment`: what children inherit now.
   *
   * @throws PawlError `aborted` while the rc file is waited for.
   */
  programOf(request: ShellRequest | JobRequest, environment: Environment): Promise<ShellProgram | { failure: string }>;
  /** Resolves when no rc file runs. */
  settled(): Promise<void>;
};

type ShellProgramOptions = {
  /** What the shell itself is found by. */
  env: Environment;
  shellPath: string | undefined;
  cleanPath: ((path: string) => string | undefined) | undefined;
  rcTimeoutMs: number | undefined;
  /** Has a folder for what the rc file defines; without it no rc file is run. */
  record: RunningCalls | undefined;
  /** Takes the shell that runs the rc file, to end it when everything ends. */
  onStart(child: Child): void;
};

/** The shell is looked for, and the rc file run, when they are first needed, and once. */
export function shellPrograms(options: ShellProgramOptions): ShellPrograms {
  const { env, record } = options;
  let shell: FoundShell | undefined;
  let snapshot: Promise<RcSnapshot> | undefined;

  function newSnapshot(shellPath: string, environment: Environment): Promise<RcSnapshot> {
    const folder = record?.folder();
    if (folder === undefined) return Promise.resolve({});
    const marker = callMarker(env, randomUUID());
    const { cleanPath, rcTimeoutMs, onStart } = options;
    record?.begin(marker);
    const taken = takeRcSnapshot({
      ...{ shellPath, marker, onStart, cleanPath },
      path: join(folder, "rc.sh"),
      cwd: env["HOME"] ?? "/",
      env: { ...environment, [CALL_MARKER]: marker },
      ...(rcTimeoutMs === undefined ? {} : { timeoutMs: rcTimeoutMs }),
    });
    return taken
      .catch((error: unknown) => ({ notice: `The rc file of the shell cannot be used: ${String(error)}` }))
      .finally(() => record?.end(marker));
  }

  return {
    async programOf(request, environment) {
      shell ??= findShell(options.shellPath, env);
      if ("failure" in shell) return shell;
      const { path: file } = shell;
      const { command, startup } = request;
      if (startup !== "rc") return { file, ...scriptFor(basename(file), command, "", "") };
      snapshot ??= newSnapshot(file, environment);
      const { path: rc = "", notice } = await ("signal" in request
        ? untilAborted(snapshot, request.signal, "The start of the shell")
        : snapshot);
      const envFile = environment["PAWL_ENV_FILE"] || environment["CLAUDE_ENV_FILE"] || "";
      return { file, ...scriptFor(basename(file), command, rc, envFile), ...(notice === undefined ? {} : { notice }) };
    },
    async settled() {
      await snapshot;
    },
  };
}
