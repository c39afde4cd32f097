import type { Readable, Writable } from "node:stream";

/** Runs programs for tools: in their own process group, stdin at EOF, output bounded, all children ending with their call. */
export interface Shell {
  /** Runs a command line in the user's shell. Never throws for what the command does. */
  run(request: ShellRequest): Promise<ShellResult>;
  /** Runs one program without a shell. Never throws for what the program does; a missing program is `failure`. */
  exec(request: ExecRequest): Promise<ShellResult>;
  /** Starts a command line that goes on beside the calls, until it ends, is stopped, or the shell is closed. */
  start(request: JobRequest): Promise<ShellJob | { failure: string }>;
  /** Starts a program that is spoken with over stdin and stdout, until it ends, is stopped, or the shell is closed. */
  serve(request: ServeRequest): Promise<ServedProgram | { failure: string }>;
}

/** `cwd` is absolute. `env` is added to the shell's own variables; undefined removes one. */
export type ServeRequest = {
  file: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
};

export type ServedProgram = {
  readonly stdin: Writable;
  /** Nobody bounds what comes: who reads does. */
  readonly stdout: Readable;
  /** Settles when it has ended. Never rejects. */
  readonly ended: Promise<ServedEnd>;
  /** Ends it with all that it has started; `ended` settles within a second. */
  stop(): void;
};

/** `stderr`: the end of what it wrote there. */
export type ServedEnd = { exitCode: number | null; killedBy: string | null; stderr: string };

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
export type ShellRequest = RunOptions & {
  command: string;
  /** `rc`: with what the user's rc file and the environment file define. Default: a bare shell. */
  startup?: "none" | "rc";
  /** `plain`: without escape sequences, and of a line that redraws itself its last state. Default: as it was written. */
  output?: "raw" | "plain";
  /** Names the file that takes the whole of an output of more than `maxOutputBytes`; without it the rest is left out. */
  outputName?: string;
  /** When its time is over it goes on as a job, for so long at most. Needs `outputName`. Default: it is ended. */
  background?: { timeoutMs: number };
};
export type ExecRequest = RunOptions & { file: string; args: readonly string[] };

export type JobRequest = Omit<ShellRequest, "signal" | "background" | "outputName"> & {
  /** Names the file that takes its output, which is bounded: of more, head and tail are kept. */
  outputName: string;
  /** Stdout as it comes, in pieces that can end anywhere. */
  onStdout?: (text: Buffer) => void;
};

/** A command that goes on beside the calls. */
export type ShellJob = {
  /** Absolute; can be read while it grows. */
  readonly outputPath: string;
  /** The end of its output so far, at most so many bytes. */
  tail(maxBytes: number): Promise<string>;
  /** Settles when it has ended. Never rejects. */
  readonly result: Promise<ShellResult>;
  /** Ends it with all that it has started; `result` settles within a second. */
  stop(): void;
};

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
  /** The file that has stdout and stderr as they came, when they were too much to be kept here, and how many bytes that was. */
  outputPath?: string;
  outputBytes?: number;
  /** Of an output above the file's limit it has the beginning and the end. */
  isOutputCut?: boolean;
  /** Why that file is not whole, such as a full disk. */
  outputFailure?: string;
  /** Its time was over, and it goes on. */
  job?: ShellJob;
  /** What the user should know of the shell itself, such as an rc file that hangs. Told once. */
  notice?: string;
  /** Why it could not be started. */
  failure?: string;
};
