import { constants } from "node:os";
import { exitMeaning } from "../../shell/exit-meaning.ts";
import { askedForInput } from "../../shell/input-hint.ts";
import type { ShellResult } from "../../shell/shell.ts";
import { cutText, storedPreview } from "../result-budget.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { errorResult } from "./error-result.ts";

/** Of a failed command the two ends are given; together this much. Characters. */
const MAX_FAILURE_CHARS = 10_000;
/** Of an output that is in a file each end is shown so far. Characters. */
const PREVIEW_CHARS = 2_000;
/** What shells add to the number of the signal that ended a command. */
const SIGNAL_EXIT_BASE = 128;

/** What the model and the eyes get of a command that has ended. `notes` stand at its end. */
export async function bashResult(
  command: string,
  result: ShellResult,
  notes: readonly string[],
  maxOutputChars: number,
  context: ToolContext,
): Promise<ToolResult> {
  if (result.aborted) return interrupted(result);
  const all = [...notes, ...notesOn(command, result)];
  const meaning = result.exitCode === null ? undefined : exitMeaning(command, result.exitCode, result.stderr);
  const isSuccess = hasEnded(result) && (result.exitCode === 0 || meaning !== undefined);
  return isSuccess ? success(result, meaning, all, maxOutputChars, context) : failed(result, all);
}

/** Whether it came to its own end. */
export const hasEnded = (result: ShellResult): boolean => !result.timedOut && result.exceededOutput !== true;

async function success(
  result: ShellResult,
  meaning: string | undefined,
  notes: readonly string[],
  maxOutputChars: number,
  { toolUseId, storeOutput }: ToolContext,
): Promise<ToolResult> {
  const image = imageOf(result);
  if (image !== undefined) return image;
  const output = outputOf(result);
  const isStored = output.length > maxOutputChars && result.outputPath === undefined;
  const path = isStored ? await storeOutput(toolUseId, output) : result.outputPath;
  const shown = isStored && path !== undefined ? storedPreview(output, path) : (filePreview(result) ?? output);
  const isSilent = output === "" && meaning === undefined;
  const ends = { head: Math.floor(maxOutputChars / 2), tail: Math.floor(maxOutputChars / 2) };
  return {
    content: joined([isSilent ? "(Bash completed with no output)" : shown, meaning, ...notes]).toWellFormed(),
    structured: {
      stdout: cutText(result.stdout, maxOutputChars, ends),
      stderr: cutText(result.stderr, maxOutputChars, ends),
      interrupted: false,
      ...(meaning !== undefined && { returnCodeInterpretation: meaning }),
      ...(path !== undefined && {
        persistedOutputPath: path,
        persistedOutputSize: result.outputBytes ?? Buffer.byteLength(output),
      }),
    },
  };
}

/** An output that was too much to be held, and went to a file as it came. */
function filePreview(result: ShellResult): string | undefined {
  const { outputPath, outputBytes = 0, outputFailure, isOutputCut } = result;
  if (outputPath === undefined) return undefined;
  const ends = cutText(outputOf(result), 0, { head: PREVIEW_CHARS, tail: PREVIEW_CHARS });
  const where = `The output is too long to be given whole (${outputBytes} bytes). ${isOutputCut ? "Its beginning and its end are" : "It is"} in ${outputPath}: read or search that file for more.`;
  return joined([where, outputFailure, `\n${ends}`]);
}

const IMAGE = /^\s*data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** A command may show a picture: as a data URL, which is all it writes. */
function imageOf({ stdout, stderr, omittedBytes }: ShellResult): ToolResult | undefined {
  const [, mediaType, data] = (omittedBytes === 0 && IMAGE.exec(stdout)) || [];
  if (mediaType === undefined || data === undefined) return undefined;
  const source = { type: "base64" as const, media_type: mediaType, data: data.replaceAll(/\s/g, "") };
  return {
    content: [{ type: "image", source }],
    structured: { stdout: "", stderr, interrupted: false, isImage: true },
  };
}

function failed(result: ShellResult, notes: readonly string[]): ToolResult {
  const half = MAX_FAILURE_CHARS / 2;
  const output = cutText(outputOf(result), MAX_FAILURE_CHARS, { head: half, tail: half });
  const { outputPath, outputFailure } = result;
  const where =
    outputPath === undefined
      ? undefined
      : `${result.isOutputCut ? "Beginning and end" : "All"} of the output ${result.isOutputCut ? "are" : "is"} in ${outputPath}.`;
  return errorResult(joined([`Exit code ${exitCodeOf(result)}`, output, where, outputFailure, ...notes]));
}

/** The result of a command that the user stopped. */
function interrupted(result: ShellResult): ToolResult {
  const half = MAX_FAILURE_CHARS / 2;
  const ends = { head: half, tail: half };
  const stdout = cutText(result.stdout, MAX_FAILURE_CHARS, ends);
  const stderr = cutText(result.stderr, MAX_FAILURE_CHARS, ends);
  const content = joined(["The command was interrupted before it had ended.", stdout, stderr]);
  return { content, isError: true, structured: { stdout, stderr, interrupted: true } };
}

function notesOn(command: string, result: ShellResult): string[] {
  const notes: string[] = [];
  if (result.exceededOutput === true)
    notes.push("The command was ended because it wrote far too much. Filter its output.");
  if (result.endedLeftovers === true) notes.push(LEFTOVERS_NOTE);
  if (!result.timedOut && askedForInput(command, result.stderr)) notes.push(INPUT_NOTE);
  return notes;
}

const LEFTOVERS_NOTE = "Processes that the command had left running in the background were ended with it.";
const INPUT_NOTE =
  "The command wanted input, but standard input is empty and there is no terminal. Use its non-interactive form: a flag such as -y, --no-edit or -m, an argument, a file or a pipe.";

function outputOf({ stdout, stderr }: ShellResult): string {
  return joined([stdout.trimEnd(), stderr.trimEnd()]);
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n");

function exitCodeOf({ exitCode, killedBy }: ShellResult): number {
  if (exitCode !== null) return exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return SIGNAL_EXIT_BASE + (signals[killedBy ?? "SIGKILL"] ?? 0);
}
