import { type EngineOptions, PawlError } from "@pawl/core";
import manifest from "../package.json" with { type: "json" };
import { parseCommandLine } from "./command-line.ts";
import { calledCommand } from "./commands.ts";
import { usageExitCode } from "./exit-code.ts";
import { engineOptions, type Invocation } from "./invocation.ts";
import { inFlags } from "./option-flags.ts";
import { Output } from "./output.ts";
import type { Presenter } from "./presenter.ts";
import { type Prompt, runTurns } from "./run-turns.ts";
import { readPrompt } from "./stdin.ts";
import { safeText } from "./terminal/shown-text.ts";
import { UsageError } from "./usage-error.ts";

const stdout = new Output(process.stdout);
const stderr = new Output(process.stderr);

/** Does what the command line asks for and ends the process with an exit code that tells how it went. */
export async function run(args: readonly string[]): Promise<never> {
  const exitCode = await perform(args).catch(tell);
  await Promise.all([stdout.flush(), stderr.flush()]);
  process.exit(exitCode === 0 && stdout.hasLostText ? 1 : exitCode);
}

async function perform(args: readonly string[]): Promise<number> {
  const command = calledCommand(args);
  if (command !== undefined) return command.run(args.slice(1), { stdout, stderr, stdin: process.stdin });
  const invocation = parseCommandLine(args, manifest.version);
  if (invocation === undefined) return 0;
  if (invocation.demo) {
    const { demonstrate } = await import("./demo/demo.ts");
    return demonstrate(invocation);
  }
  refuseInteractive(invocation);
  if (invocation.inputFormat === "stream-json") return streamTurns(invocation);
  const options = engineOptions(invocation);
  const content = await readPrompt(invocation.prompt, process.stdin, warn);
  if (process.stdout.isTTY && invocation.outputFormat === "text") options.includePartialMessages = true;
  const { exitCode, unusedSteps } = await runTurns({
    prompts: only({ content }),
    ...(await withQuestions(invocation, options, await presenterOf(invocation))),
  });
  if (exitCode !== 0 || unusedSteps.length === 0) return exitCode;
  await warn(unusedStepsNote(unusedSteps));
  return 1;
}

/** A turn for each user message on standard input. What cannot be taken is answered, and what follows it is not lost. */
async function streamTurns(invocation: Invocation): Promise<number> {
  const [{ FrameWriter }, { userMessages }, { refusalFrame }] = await Promise.all([
    import("./stream-json/frame-writer.ts"),
    import("./stream-json/user-messages.ts"),
    import("./stream-json/refusal-frame.ts"),
  ]);
  const presenter = new FrameWriter(stdout);
  const { exitCode } = await runTurns({
    options: engineOptions(invocation),
    prompts: userMessages(process.stdin, (response) => presenter.show(response)),
    presenter,
    async onRefusal(refusal, context) {
      await warn(refusal.refused);
      await presenter.show(refusalFrame(refusal, context));
    },
  });
  return exitCode;
}

const warn = (text: string): Promise<void> => stderr.write(`pawl: ${safeText(text)}\n`);

const MAX_STEPS_NAMED = 5;

function unusedStepsNote(steps: readonly string[]): string {
  const named = steps.slice(0, MAX_STEPS_NAMED).join(", ");
  const more = steps.length > MAX_STEPS_NAMED ? ` and ${steps.length - MAX_STEPS_NAMED} more` : "";
  const count = steps.length === 1 ? "1 step that was" : `${steps.length} steps that were`;
  return `the scenario has ${count} not played: ${named}${more}`;
}

function refuseInteractive({ print, outputFormat, inputFormat }: Invocation): void {
  const isHeadless = print || outputFormat !== "text" || inputFormat !== "text";
  if (isHeadless || !process.stdout.isTTY || !process.stdin.isTTY) return;
  throw new UsageError(
    'there is no interactive screen yet: give a prompt with -p, as in pawl -p "Explain this project"',
  );
}

/** With a person at the terminal, what would be denied for want of an answer is asked. */
async function withQuestions({ outputFormat }: Invocation, options: EngineOptions, presenter: Presenter) {
  const isAtTerminal = process.stdin.isTTY && (process.stdout.isTTY || process.stderr.isTTY);
  if (outputFormat !== "text" || !isAtTerminal) return { options, presenter };
  const [{ GatedPresenter }, { terminalQuestions }] = await Promise.all([
    import("./terminal/gated-presenter.ts"),
    import("./terminal/terminal-questions.ts"),
  ]);
  const gated = new GatedPresenter(presenter);
  return { options: { ...options, ...terminalQuestions(gated) }, presenter: gated };
}

async function presenterOf({ outputFormat, isVerbose }: Invocation): Promise<Presenter> {
  if (outputFormat === "stream-json") {
    const { FrameWriter } = await import("./stream-json/frame-writer.ts");
    return new FrameWriter(stdout);
  }
  if (outputFormat === "json") {
    const { ResultWriter } = await import("./stream-json/result-writer.ts");
    return new ResultWriter(stdout, stderr);
  }
  if (process.stdout.isTTY) {
    const { TerminalView } = await import("./print/terminal-view.ts");
    return new TerminalView(process.stdout, { isVerbose });
  }
  const { AnswerWriter } = await import("./print/answer-writer.ts");
  return new AnswerWriter(stdout, stderr);
}

async function* only(prompt: Prompt): AsyncGenerator<Prompt> {
  yield prompt;
}

/** What was refused before anything was sent. */
const usageCodes: readonly string[] = [
  ...["bad_option", "bad_prompt", "unknown_model", "missing_key", "scenario_invalid", "settings_invalid"],
  ...["rule_invalid", "rule_tests_invalid", "session_in_use", "session_newer"],
  ...["repeated_uuid", "cwd_missing", "file_io"],
];

/** A shell may stand in a folder that was removed. */
const isFolderGone = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";

async function tell(error: unknown): Promise<number> {
  if (isFolderGone(error)) {
    return tell(new PawlError("cwd_missing", "The current directory is gone: change to one that exists."));
  }
  if (error instanceof UsageError) {
    await stderr.write(`Error: ${safeText(error.message)}\nSee pawl --help.\n`);
    return usageExitCode;
  }
  if (error instanceof PawlError) {
    await stderr.write(`Error: ${safeText(inFlags(error.message))}\n`);
    return usageCodes.includes(error.code) ? usageExitCode : 1;
  }
  // A fault of this program: its place is what a report needs.
  await stderr.write(`pawl: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
