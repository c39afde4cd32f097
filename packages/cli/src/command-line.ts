import { Command, CommanderError, Option } from "commander";
import { commandsHelp, refuseMistypedCommand } from "./commands.ts";
import { exitCodesHelp } from "./exit-code.ts";
import { needsSessionId } from "./flag-values.ts";
import { flags } from "./flags.ts";
import { emptyInvocation, type Invocation } from "./invocation.ts";
import { UsageError } from "./usage-error.ts";
import { refuseScatteredWords } from "./words.ts";

/**
 * Reads a command line by the table of flags.
 *
 * @returns what is asked for, or undefined when the help or the version was all of it and has been written to stdout.
 * @throws UsageError that names the flag, the value and the fix.
 */
export function parseCommandLine(args: readonly string[], version: string): Invocation | undefined {
  const invocation = emptyInvocation();
  const given: string[] = [];
  const command = program(invocation, version, given);
  try {
    command.parse(withEquals(args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const fix = error.message.includes("--resume <id>' argument missing") ? `: ${needsSessionId}` : "";
    throw new UsageError(error.message.replace(/^error: /, "") + fix, { cause: error });
  }
  refuseScatteredWords(args);
  if (!invocation.print && !args.includes("--")) refuseMistypedCommand(command.args);
  invocation.prompt = command.args.join(" ");
  if (invocation.demo) refuseBesideDemo(invocation, given);
  checkTogether(invocation);
  return invocation;
}

/** An optional value would be taken from the next argument, which may be the prompt. */
function withEquals(args: readonly string[]): string[] {
  const bare = flags.filter((flag) => flag.takesValueByEquals).map(({ usage }) => usage.split(" ")[0]);
  const end = args.indexOf("--");
  return args.map((arg, at) => (bare.includes(arg) && (end < 0 || at < end) ? `${arg}=` : arg));
}

/** @param given takes the names of the flags that are there. */
function program(invocation: Invocation, version: string, given: string[]): Command {
  const command = new Command("pawl")
    .description("A coding agent for the terminal and CI.")
    .argument("[prompt...]", "what the agent should do")
    .version(`${version} (Pawl)`, "-v, --version", "Print the version.")
    .helpOption("-h, --help", "Print this help.")
    .addHelpText(
      "after",
      `\n${commandsHelp()}\n\n${exitCodesHelp}\n\nMore: README.md, docs/cli.md, docs/scenarios.md.\n`,
    )
    .exitOverride()
    .configureOutput({ outputError: () => {} }); // the caller says it, in its own form
  for (const flag of flags) {
    const option = new Option(flag.usage, flag.help);
    command.addOption(option);
    command.on(`option:${option.name()}`, (text?: string | null) => {
      given.push(`--${option.name()}`);
      flag.set(invocation, text ?? "");
    });
  }
  return command;
}

function refuseBesideDemo({ prompt }: Invocation, given: readonly string[]): void {
  const others = given.filter((name) => !["--demo", "--model"].includes(name));
  if (prompt !== "") others.push("the prompt");
  if (others.length === 0) return;
  throw new UsageError(`--demo has its own task and permissions: leave out ${others.join(", ")} (--model may stay)`);
}

/** What each flag allows alone but not together. */
function checkTogether(invocation: Invocation): void {
  const { options, inputFormat, outputFormat, prompt } = invocation;
  const streamsIn = inputFormat === "stream-json";
  const streamsOut = outputFormat === "stream-json";
  const isResumed = options.resume !== undefined || options.continueSession === true;
  const refusals: readonly (readonly [boolean | undefined, string])[] = [
    [streamsIn && !streamsOut, "--input-format stream-json needs --output-format stream-json"],
    [
      streamsIn && prompt !== "",
      "--input-format stream-json takes its prompts from standard input: leave the argument out",
    ],
    [options.includePartialMessages && !streamsOut, "--include-partial-messages needs --output-format stream-json"],
    [
      options.replayUserMessages && !streamsIn,
      "--replay-user-messages needs --input-format stream-json and --output-format stream-json",
    ],
    [options.resume !== undefined && options.continueSession, "--resume and --continue exclude each other: give one"],
    [options.forkSession && !isResumed, "--fork-session needs --resume=ID or --continue"],
    [
      options.sessionId !== undefined && isResumed && !options.forkSession,
      "--session-id can only be used with --continue or --resume if --fork-session is also specified.",
    ],
  ];
  for (const [isWrong, message] of refusals) if (isWrong) throw new UsageError(message);
}
