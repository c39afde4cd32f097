import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import { abortedBeforeStart, type Child, type ChildRequest, failedToStart, startChild } from "./child.ts";
import { CALL_MARKER, callMarker, childEnvironment, type Environment } from "./child-env.ts";
import { isHarmless } from "./plain-command.ts";
import type { ExecRequest, Shell, ShellRequest, ShellResult } from "./shell.ts";

export type LocalShellOptions = {
  /** What children inherit. The pager, editor and prompt variables are replaced, and the model provider's keys left out. */
  env: Environment;
  /** Absolute path of bash, zsh or another POSIX shell. Default: the user's (`SHELL`) if it is bash or zsh, then bash, then sh. */
  shellPath?: string;
  /** Lets children see the model provider's keys, for a project that itself calls the provider. */
  passProviderKeys?: boolean;
  onSpawn?: (pid: number) => void;
};

export type LocalShell = Shell & {
  /** Ends every running call with its children, within a second. Later calls fail. */
  close(): Promise<void>;
};

/** Runs programs on this machine. Its owner closes it before the process ends. */
export function localShell(options: LocalShellOptions): LocalShell {
  const environment = childEnvironment(options.env, options.passProviderKeys ?? false);
  const running = new Set<Child>();
  let isClosed = false;
  let shell: FoundShell | undefined;

  async function start(request: ShellRequest | ExecRequest, program: Program): Promise<ShellResult> {
    if (isClosed) return failedToStart("The session is ending: nothing is started any more.");
    if (request.signal.aborted) return abortedBeforeStart;
    const child = startChild(childRequest(request, program, options.env, environment));
    if (child.pid !== undefined) options.onSpawn?.(child.pid);
    running.add(child);
    // As many calls as an answer has may share one signal; that is no leak to warn of.
    setMaxListeners(0, request.signal);
    request.signal.addEventListener("abort", child.stop);
    try {
      return await child.result;
    } finally {
      request.signal.removeEventListener("abort", child.stop);
      running.delete(child);
    }
  }

  return {
    async run(request) {
      shell ??= findShell(options);
      if ("failure" in shell) return failedToStart(shell.failure);
      const { path: file } = shell;
      // Such a command cannot move the shell: without the report bash becomes the program instead of starting it.
      if (isHarmless(request.command))
        return start(request, { file, args: ["-c", request.command], reportsCwd: false });
      const args = ["-c", REPORT_CWD, basename(file), request.command];
      return start(request, { file, args, reportsCwd: true });
    },
    exec: (request) => start(request, { file: request.file, args: request.args, reportsCwd: false }),
    async close() {
      isClosed = true;
      for (const child of running) child.stop();
      await Promise.all([...running].map((child) => child.result));
    },
  };
}

/**
 * Runs the command in the shell itself and reports where the shell stands at its end, without a process more. The report
 * moves from descriptor 3, which scripts like to use, to 8. `$1` is cleared so that the command sees no arguments.
 */
const REPORT_CWD =
  "exec 8>&3 3>&-; trap '{ pwd -P >&8; } 2>/dev/null' EXIT; __pawl_command=$1; shift; eval \"$__pawl_command\"";

type Program = Pick<ChildRequest, "file" | "args" | "reportsCwd">;

function childRequest(
  request: ShellRequest | ExecRequest,
  program: Program,
  outer: Environment,
  shared: Environment,
): ChildRequest {
  const { cwd, timeoutMs, maxOutputBytes, keep = "ends" } = request;
  const marker = callMarker(outer, randomUUID());
  const env = { ...shared, ...request.env, PWD: cwd, [CALL_MARKER]: marker };
  return { ...program, cwd, env, marker, timeoutMs, maxOutputBytes, keep };
}

type FoundShell = { path: string } | { failure: string };

/** Shells that read what the model writes for bash. */
const userShells: readonly string[] = ["bash", "zsh"];
const fallbackShells = ["/bin/bash", "/bin/sh"];

function findShell({ shellPath, env }: LocalShellOptions): FoundShell {
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
