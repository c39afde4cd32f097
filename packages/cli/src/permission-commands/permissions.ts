import type { CommandIo } from "../program-command.ts";
import { UsageError } from "../usage-error.ts";
import { check } from "./check.ts";
import { explain } from "./explain.ts";
import { runTests } from "./run-tests.ts";

const HELP = `Usage: pawl permissions <command>

  explain [--json] TOOL INPUT   How a call would be decided here, by which rule, and why.
                                INPUT is JSON, or the command, path or URL alone.
  check --batch                 Judges calls with rules of their own, one JSON object a line on standard input.
  test [--json] FILE            Runs your tests of your rules: a JSON or YAML file.

explain and test take --permission-mode, --allowedTools, --disallowedTools, --add-dir, --settings, --setting-sources, --trust.
More: docs/permissions.md.
`;

const subcommands: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<number>>> = {
  explain,
  check,
  test: runTests,
};

/** `pawl permissions …` */
export async function permissions([name, ...args]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") {
    await io.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const run = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (run === undefined) {
    throw new UsageError(
      `pawl permissions has no command "${name}": give one of ${Object.keys(subcommands).join(", ")}`,
    );
  }
  if (args.includes("--help") || args.includes("-h")) {
    await io.stdout.write(HELP);
    return 0;
  }
  return run(args, io);
}
