import type { EngineOptions } from "@pawl/core";
import { Command, CommanderError, Option } from "commander";
import { flags } from "../flags.ts";
import { emptyInvocation, engineOptions } from "../invocation.ts";
import { UsageError } from "../usage-error.ts";

/** Flags of a session that say by which rules, and where, it decides. */
const shared: readonly string[] = [
  ...["--permission-mode", "--allowedTools", "--disallowedTools", "--add-dir", "--settings", "--setting-sources"],
  ...["--trust", "--allow-dangerously-skip-permissions", "--dangerously-skip-permissions"],
];

type Arguments = { words: string[]; isJson: boolean; options: EngineOptions };

/**
 * The words, and the flags that are the same as for a session.
 *
 * @throws UsageError that names the flag, and what was expected.
 */
export function readArguments(args: readonly string[], usage: string, words: number): Arguments {
  const invocation = emptyInvocation();
  const command = new Command("pawl permissions")
    .argument("[words...]")
    .option("--json")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  for (const flag of flags) {
    if (!shared.some((name) => flag.usage.split(/[ ,]/).includes(name))) continue;
    const option = new Option(flag.usage, flag.help);
    command.addOption(option);
    command.on(`option:${option.name()}`, (text?: string | null) => flag.set(invocation, text ?? ""));
  }
  try {
    command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`${error.message.replace(/^error: /, "")}; usage: ${usage}`, { cause: error });
  }
  if (command.args.length !== words) {
    const given = `${words} ${words === 1 ? "word" : "words"}, not ${command.args.length}`;
    throw new UsageError(`it takes ${given}; put what holds blanks into quotes; usage: ${usage}`);
  }
  return { words: command.args, isJson: command.opts()["json"] === true, options: engineOptions(invocation) };
}
