import { nearestName } from "@pawl/core";
import type { ProgramCommand } from "./program-command.ts";
import { UsageError } from "./usage-error.ts";

/** One row for each command; its code is loaded when it is called. */
const commands: readonly ProgramCommand[] = [
  {
    name: "config",
    usage: "config list|get|set|unset",
    help: "Shows settings and where each comes from, and changes them.",
    run: async (args, io) => (await import("./config-commands/config.ts")).config(args, io),
  },
  {
    name: "doctor",
    usage: "doctor",
    help: "Says what is set, from where, what is wrong, and what is missing on this machine.",
    run: async (args, io) => (await import("./config-commands/doctor.ts")).doctor(args, io),
  },
  {
    name: "permissions",
    usage: "permissions explain|check|test",
    help: "Says how a call would be decided and why, judges calls in bulk, and runs tests of your rules.",
    run: async (args, io) => (await import("./permission-commands/permissions.ts")).permissions(args, io),
  },
  {
    name: "trust",
    usage: "trust list|revoke",
    help: "Shows the folders that you trust, and takes trust away.",
    run: async (args, io) => (await import("./trust-command.ts")).trust(args, io),
  },
];

/** The command that a command line calls by its first word; a prompt that begins like one is one argument, or stands behind `--`. */
export function calledCommand([name]: readonly string[]): ProgramCommand | undefined {
  return commands.find((command) => command.name === name);
}

/** `test` is a prompt, and no `trust`. */
const MIN_CHARS_FOR_TWO_SLIPS = 6;

/**
 * Refuses a prompt that is likely a command mistyped: a word alone as in `pawl doctr`, or with a word that the command takes as in
 * `pawl confg list`. `-p` and `--` say that it is a prompt.
 */
export function refuseMistypedCommand([word = "", ...more]: readonly string[]): void {
  const meant = mistyped(word);
  if (meant === undefined || (more.length > 0 && !takes(meant, more[0]))) return;
  const prompt = [word, ...more].join(" ");
  throw new UsageError(
    `there is no command ${JSON.stringify(word)}; do you mean pawl ${[meant.name, ...more].join(" ")}? To send it as a prompt, write pawl -p ${JSON.stringify(prompt)}`,
  );
}

function mistyped(word: string): ProgramCommand | undefined {
  const near = commands.filter(({ name }) => name[0] === word[0]?.toLowerCase());
  const name = nearestName(
    word,
    near.map((command) => command.name),
    MIN_CHARS_FOR_TWO_SLIPS,
  );
  return commands.find((command) => command.name === name);
}

/** Whether its usage, such as `config list|get`, has the word. */
const takes = ({ usage }: ProgramCommand, word = ""): boolean => usage.split(/[ |]/).slice(1).includes(word);

/** For `pawl --help`. */
export function commandsHelp(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return ["Commands:", ...commands.map(({ usage, help }) => `  ${usage.padEnd(width)}  ${help}`)].join("\n");
}
