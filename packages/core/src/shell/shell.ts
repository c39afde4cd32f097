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
  /** Added to the shell's own variables; undefined removes one. */
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Bytes of each of stdout and stderr kept. */
  maxOutputBytes: number;
  /** What is kept of a longer output: head and tail with a line between that counts the rest (default), or the head alone. */
  keep?: "ends" | "head";
};
export type ShellRequest = RunOptions & { command: string };
export type ExecRequest = RunOptions & { file: string; args: readonly string[] };

export type ShellResult = {
  /** null when ended by a signal or not started. */
  exitCode: number | null;
  killedBy: string | null;
  stdout: string;
  stderr: string;
  /** Bytes of stdout and stderr that were not kept. */
  omittedBytes: number;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
  /** Where the shell stood when the command ended, links resolved; absent when unknown. Only of `run`. */
  finalCwd?: string;
  /** The command ended by itself and left processes in its group, which were then ended. */
  endedLeftovers?: boolean;
  /** It was ended because it wrote more than any command may. */
  exceededOutput?: boolean;
  /** Why it could not be started. */
  failure?: string;
};
