import type { Output } from "./output.ts";

/** Where a command writes and reads. */
export type CommandIo = {
  stdout: Output;
  stderr: Output;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
};

/** `pawl <name> …`: something that is done without a turn. */
export type ProgramCommand = {
  name: string;
  /** How it is called, and what for; as the help shows it. */
  usage: string;
  help: string;
  /** @param args what stands behind the name. @returns the exit code. @throws UsageError, PawlError */
  run(args: readonly string[], io: CommandIo): Promise<number>;
};
