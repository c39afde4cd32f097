import type { ProgramCommand } from "./program-command.ts";

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

/** For `pawl --help`. */
export function commandsHelp(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return ["Commands:", ...commands.map(({ usage, help }) => `  ${usage.padEnd(width)}  ${help}`)].join("\n");
}
