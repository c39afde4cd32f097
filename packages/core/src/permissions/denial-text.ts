import type { Because } from "./decision.ts";

/** What a denial repeats of a command or path. Characters. */
const MAX_QUOTED_CHARS = 2_000;

/** What the model is told when the call would have to be asked about and nobody can answer. Consumers match the beginning. */
export function denialText(tool: string, input: Record<string, unknown>, because: Because): string {
  const denied = `Pawl requested permissions to ${wish(tool, input)}, but you haven't granted it yet. ${because.reason}`;
  return `${denied.trimEnd()} ${withoutUser.get(tool) ?? ""}`.trimEnd();
}

/** How the model goes on where a tool of the user has nobody to ask. */
const withoutUser: ReadonlyMap<string, string> = new Map([
  ["AskUserQuestion", "Nobody is there to answer: decide it yourself, and say in your answer what you have assumed."],
  ["ExitPlanMode", "Nobody is there to approve the plan: end with the plan as your answer."],
]);

/** What the model is told when a rule or the mode denies the call. Consumers match the beginning. */
export function refusalText(tool: string, input: Record<string, unknown>, because: Because): string {
  const command = tool === "Bash" ? textField(input, "command") : undefined;
  const what = command === undefined ? tool : `${tool} with command ${quoted(command)}`;
  return `Permission to use ${what} has been denied. ${because.reason}`.trimEnd();
}

/** What the model is told when the user says no. Consumers match the beginning. */
export function rejectionText(words: string): string {
  const rejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
    "new_string was NOT written to the file).";
  return words.trim() === ""
    ? `${rejected} Stop what you are doing and wait for the user to tell you how to proceed.`
    : `${rejected} The user said:\n${words.trim()}`;
}

const reading: ReadonlySet<string> = new Set(["Read", "Grep", "Glob"]);
const writing: ReadonlySet<string> = new Set(["Write", "Edit", "NotebookEdit"]);

function wish(tool: string, input: Record<string, unknown>): string {
  const path = textField(input, "file_path") ?? textField(input, "notebook_path") ?? textField(input, "path");
  if (path !== undefined && reading.has(tool)) return `read from ${quoted(path)}`;
  if (path !== undefined && writing.has(tool)) return `write to ${quoted(path)}`;
  return `use ${tool}`;
}

function textField(input: Record<string, unknown>, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function quoted(text: string): string {
  if (text.length <= MAX_QUOTED_CHARS) return text;
  return `${text.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…`;
}
