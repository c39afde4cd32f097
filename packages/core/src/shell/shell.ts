/** Runs programs for tools: in their own process group, stdin at EOF, output bounded, all children ending with their call. */
export interface Shell {
  /** Runs a command line in the user's shell. Never throws for what the command does. */
  run(request: ShellRequest): Promise<ShellResult>;
  /** Runs one program without a shell. Never throws for what the program does; a missing program is `failure`. */
  exec(request: ExecRequest): Promise<ShellResult>;
}

type RunOptions = {
  /** Absolute. */
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Bytes of each of stdout and stderr kept, head and tail. */
  maxOutputBytes: number;
};
export type ShellRequest = RunOptions & { command: string };
export type ExecRequest = RunOptions & { file: string; args: readonly string[] };

export type ShellResult = {
  /** null when ended by a signal or not started. */
  exitCode: number | null;
  killedBy: string | null;
  stdout: string;
  stderr: string;
  /** Bytes left out of the middle of stdout and stderr. */
  omittedBytes: number;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
  /** Where the shell stood when the command ended; absent when unknown. Only of `run`. */
  finalCwd?: string;
  /** Why it could not be started. */
  failure?: string;
};
