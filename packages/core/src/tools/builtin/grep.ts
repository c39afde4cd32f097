import { basename, dirname, join, resolve } from "node:path";
import type { ShellResult } from "../../shell/shell.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import {
  incompleteNote,
  nulEntries,
  type RipgrepOptions,
  ripgrep,
  searchError,
  searchFailure,
  shownPath,
} from "./ripgrep.ts";

const DEFAULT_HEAD_LIMIT = 250;
/** Of a longer line, such as one of a minified file, the beginning is shown. Characters. */
const MAX_LINE_CHARS = 500;

const lines = (description: string) => ({ type: "integer", minimum: 0, description }) as const;

const inputSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regular expression in the syntax of ripgrep (Rust)." },
    path: { type: "string", description: "File or directory to search. Default: the working directory." },
    glob: { type: "string", description: 'Search only files that match, such as "*.ts" or "!**/*.test.ts".' },
    type: { type: "string", description: "Search only files of this type of ripgrep, such as js, py or rust." },
    output_mode: {
      type: "string",
      enum: ["content", "files_with_matches", "count"],
      default: "files_with_matches",
      description: "Matching lines, names of files with a match (newest first), or matching lines counted per file.",
    },
    "-A": lines("Lines to show after each match. Only for content."),
    "-B": lines("Lines to show before each match. Only for content."),
    "-C": lines("Lines to show before and after each match. Only for content."),
    context: lines("The same as -C."),
    "-n": { type: "boolean", default: true, description: "Show line numbers. Only for content." },
    "-i": { type: "boolean", default: false, description: "Ignore case." },
    "-o": { type: "boolean", default: false, description: "Show only what matched, not its line. Only for content." },
    multiline: { type: "boolean", default: false, description: "Let a match, and the dot, go across lines." },
    head_limit: {
      ...lines("Lines or files to give at most; 0 for all."),
      default: DEFAULT_HEAD_LIMIT,
    },
    offset: { ...lines("Lines or files to pass over first."), default: 0 },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;

type Mode = "content" | "files_with_matches" | "count";
type Input = {
  pattern: string;
  path?: string;
  glob?: string;
  type?: string;
  output_mode?: Mode;
  "-A"?: number;
  "-B"?: number;
  "-C"?: number;
  context?: number;
  "-n"?: boolean;
  "-i"?: boolean;
  "-o"?: boolean;
  multiline?: boolean;
  head_limit?: number;
  offset?: number;
};

/** Searches the contents of files. */
export function createGrepTool(options: RipgrepOptions = {}) {
  return defineTool({
    name: "Grep",
    description: `Searches the contents of files for a regular expression, with ripgrep.

- Brackets, dots and other special characters that are meant literally need a backslash: \`interface\\{\\}\`, \`a\\.b\`.
- Hidden files are searched. Binary files, the insides of .git and what an ignore file (.gitignore, .ignore) names are not: to search an ignored folder give it as path.
- At most ${DEFAULT_HEAD_LIMIT} lines or files come at once; offset gives the next ones.
- Paths are relative to the working directory, or absolute outside it.`,
    inputSchema,
    maxResultChars: 50_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: ({ path }) => [{ type: "read", path: path ?? "." }],
    run: (input, context) => search(input, context, options),
  });
}

export const grepTool = createGrepTool();

async function search(input: Input, context: ToolContext, options: RipgrepOptions): Promise<ToolResult> {
  const { cwd, files } = context;
  const path = resolve(cwd, input.path ?? ".");
  const stat = await files.stat(path);
  if (stat === undefined) {
    return searchError(`Path does not exist: ${path}. Note: your current working directory is ${cwd}.`);
  }
  const mode = input.output_mode ?? "files_with_matches";
  // From inside the searched directory, so that `glob` counts from there.
  const folder = stat.isDirectory ? path : dirname(path);
  const target = stat.isDirectory ? "./" : `./${basename(path)}`;
  const args = [...modeArgs(mode, input), ...searchArgs(input), "--", target];
  const result = await ripgrep(args, folder, context, options);
  const failure = searchFailure(result);
  if (failure !== undefined) return searchError(failure);
  const show = (name: string) => shownPath(join(folder, name), cwd);
  const entries =
    mode === "files_with_matches" ? fileEntries(result.stdout, show) : lineEntries(result.stdout, input, show);
  return answer(mode, entries, input, notesOn(result));
}

function searchArgs({ pattern, glob, type, multiline, "-i": ignoreCase }: Input): string[] {
  return [
    ...(ignoreCase === true ? ["--ignore-case"] : []),
    ...(multiline === true ? ["--multiline", "--multiline-dotall"] : []),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    ...(type === undefined ? [] : [`--type=${type}`]),
    `--regexp=${pattern}`,
  ];
}

/** Sorted, although ripgrep then uses one thread: with `offset` the order must be the same each time. */
function modeArgs(mode: Mode, input: Input): string[] {
  if (mode === "files_with_matches") return ["--files-with-matches", "--null", "--sortr=modified"];
  if (mode === "count") return ["--count", "--with-filename", "--null", "--sort=path"];
  const around = input.context ?? input["-C"];
  return [
    "--null",
    "--with-filename",
    "--no-heading",
    "--sort=path",
    input["-n"] === false ? "--no-line-number" : "--line-number",
    `--max-columns=${MAX_LINE_CHARS}`,
    "--max-columns-preview",
    ...(input["-o"] === true ? ["--only-matching"] : []),
    ...(around === undefined ? [] : [`--context=${around}`]),
    ...(input["-A"] === undefined ? [] : [`--after-context=${input["-A"]}`]),
    ...(input["-B"] === undefined ? [] : [`--before-context=${input["-B"]}`]),
  ];
}

/** One line of the result; `file` is undefined for the line between two groups of context. */
type Entry = { text: string; file?: string; count?: number };

function fileEntries(stdout: string, show: (name: string) => string): Entry[] {
  return nulEntries(stdout).map((name) => ({ text: show(name), file: show(name) }));
}

function lineEntries(stdout: string, input: Input, show: (name: string) => string): Entry[] {
  const isNumbered = input.output_mode === "content" && input["-n"] !== false;
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf("\0");
      if (end === -1) return { text: line };
      const file = show(line.slice(0, end));
      const rest = line.slice(end + 1);
      // After its number a matching line has a colon, a line of context a dash.
      const mark = isNumbered && /^\d+-/.test(rest) ? "-" : ":";
      return { text: `${file}${mark}${rest}`, file, ...(input.output_mode === "count" && { count: Number(rest) }) };
    });
}

function answer(mode: Mode, entries: readonly Entry[], input: Input, notes: readonly string[]): ToolResult {
  const { offset = 0, head_limit: headLimit = DEFAULT_HEAD_LIMIT } = input;
  const end = headLimit === 0 ? entries.length : offset + headLimit;
  const shown = entries.slice(offset, end);
  const isCut = end < entries.length;
  const filenames = [...new Set(shown.flatMap(({ file }) => (file === undefined ? [] : [file])))];
  const matches = shown.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const text = shown.map((entry) => entry.text).join("\n");
  const more = isCut ? [`(${shown.length} of ${entries.length} shown. For the next ones set offset to ${end}.)`] : [];
  return {
    content: [...headOf(mode, entries, shown, matches, filenames), ...more, ...notes].join("\n"),
    structured: {
      mode,
      numFiles: filenames.length,
      filenames,
      ...(mode !== "files_with_matches" && { content: text }),
      ...(mode === "content" && { numLines: shown.length }),
      ...(mode === "count" && { numMatches: matches }),
      ...(isCut && { appliedLimit: headLimit }),
      ...(offset > 0 && { appliedOffset: offset }),
    },
  };
}

function headOf(
  mode: Mode,
  entries: readonly Entry[],
  shown: readonly Entry[],
  matches: number,
  filenames: readonly string[],
): string[] {
  if (entries.length === 0) return [mode === "files_with_matches" ? "No files found" : "No matches found"];
  if (shown.length === 0) return ["No entries at this offset"];
  const texts = shown.map(({ text }) => text);
  const files = `${filenames.length} ${filenames.length === 1 ? "file" : "files"}`;
  if (mode === "files_with_matches") return [`Found ${files}`, ...texts];
  if (mode === "count") return [...texts, "", `${matches} matching ${matches === 1 ? "line" : "lines"} in ${files}`];
  return texts;
}

function notesOn(result: ShellResult): string[] {
  const incomplete = incompleteNote(result);
  const [problem = ""] = result.stderr.split("\n");
  return [
    ...(incomplete === undefined ? [] : [incomplete]),
    ...(result.exitCode === 2 && problem !== "" ? [`(Not everything could be searched: ${problem})`] : []),
  ];
}
