import { basename, dirname, join, resolve } from "node:path";
import type { ReadFilter } from "../../permissions/read-access.ts";
import type { ShellResult } from "../../shell/shell.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { type Entry, fileEntry, type GrepMode, grepAnswer, lineEntries, type Shown } from "./grep-answer.ts";
import { below, parseLines } from "./grep-lines.ts";
import {
  askedNote,
  incompleteNote,
  nulEntries,
  type RipgrepOptions,
  ripgrep,
  searchFailure,
  shownPath,
} from "./ripgrep.ts";
import { newestFirst } from "./search-order.ts";
import { globFolder, ignoreStyleScope, readable, type SearchScope, startOf } from "./search-scope.ts";

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

type Input = {
  pattern: string;
  path?: string;
  glob?: string;
  type?: string;
  output_mode?: GrepMode;
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
    // Of both: `glob` may lead through a link, and counts for nothing where `path` is a file.
    touches: ({ path, glob }) =>
      [...new Set([path ?? ".", startOf(path, globFolder(glob))])].map((start) => ({ type: "read", path: start })),
    run: (input, context) => search(input, context, options),
  });
}

export const grepTool = createGrepTool();

async function search(input: Input, context: ToolContext, options: RipgrepOptions): Promise<ToolResult> {
  const { cwd } = context;
  const path = resolve(cwd, input.path ?? ".");
  const where = await whereToSearch(path, input, context);
  if ("error" in where) return refusal(where.error);
  const { folder, target, scope } = where;
  const mode = input.output_mode ?? "files_with_matches";
  const args = [...modeArgs(mode, input), ...searchArgs(input, scope), "--", target];
  const result = await ripgrep(args, folder, context, options);
  const failure = searchFailure(result);
  if (failure !== undefined) return failure;
  const filter = await context.readAccess?.below(folder);
  const { entries, asked } = await found(mode, result, { ...where, filter, input }, context);
  return grepAnswer(entries, {
    mode,
    offset: input.offset ?? 0,
    headLimit: input.head_limit ?? DEFAULT_HEAD_LIMIT,
    show: (name) => shownPath(join(folder, name), cwd),
    notes: [...encodingNote(input.pattern, entries), ...notesOn(result, filter), ...askedNote(asked)],
    incomplete: incompleteFields(result),
  });
}

type Where = { folder: string; target: string; scope: SearchScope };

/** ripgrep runs inside the folder that it searches, so that `glob` counts from there. */
async function whereToSearch(path: string, { glob }: Input, context: ToolContext): Promise<Where | { error: string }> {
  const stat = await context.files.stat(path);
  if (stat === undefined) {
    return { error: `Path does not exist: ${path}. Note: your current working directory is ${context.cwd}.` };
  }
  if (glob?.split("/").includes("..")) return { error: `The glob ${glob} leads out of the searched folder: use path.` };
  if (!stat.isDirectory) {
    // Anything else, such as a pipe, would be waited for.
    if (!stat.isRegular) return { error: `${path} is no regular file and no directory: only these can be searched.` };
    return { folder: dirname(path), target: `./${basename(path)}`, scope: everything };
  }
  const scope = glob === undefined ? everything : await ignoreStyleScope(glob);
  const folder = resolve(path, scope.folder);
  const isThere = folder === path || (await context.files.stat(folder))?.isDirectory === true;
  return isThere ? { folder, target: "./", scope } : { folder: path, target: "./", scope: nothing };
}

const everything: SearchScope = { folder: ".", matches: () => true, narrowing: [] };
const nothing: SearchScope = { folder: ".", matches: () => false, narrowing: ["--glob=!**"] };

type About = Where & { filter: ReadFilter | undefined; input: Input };

/** What was found and may be shown, in the order in which it is given. */
async function found(
  mode: GrepMode,
  { stdout }: ShellResult,
  { folder, scope, filter, input }: About,
  context: ToolContext,
): Promise<{ entries: Entry[]; asked: number }> {
  if (mode === "files_with_matches") {
    const { names, asked } = readable(nulEntries(stdout).map(below).filter(scope.matches), filter);
    return { entries: (await newestFirst(names, folder, context)).map(fileEntry), asked };
  }
  const files = parseLines(stdout).filter(({ name }) => scope.matches(name));
  const allNames = files.map(({ name }) => name);
  const { names, asked } = readable(allNames, filter);
  const shown = new Set(names);
  const { "-A": after, "-B": before, "-C": both, context: around } = input;
  const isParted = mode === "content" && [after, before, both, around].some((lines) => (lines ?? 0) > 0);
  const form = { isNumbered: mode === "content" && input["-n"] !== false, isParted };
  return {
    entries: lineEntries(
      files.filter(({ name }) => shown.has(name)),
      form,
    ),
    asked,
  };
}

function searchArgs({ pattern, type, multiline, "-i": ignoreCase }: Input, scope: SearchScope): string[] {
  // Several types would add up instead of narrowing each other.
  const narrowing = scope.narrowing.filter((arg) => type === undefined || arg.startsWith("--glob"));
  return [
    // Look-around and back-references, which the default engine has not, are left to the other one.
    "--engine=auto",
    ...(ignoreCase === true ? ["--ignore-case"] : []),
    ...(multiline === true ? ["--multiline", "--multiline-dotall"] : []),
    ...narrowing,
    ...(type === undefined ? [] : [`--type=${type}`]),
    `--regexp=${withEitherEnding(pattern)}`,
  ];
}

const ESCAPE_CLASS_OR_END = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]|\$/g;

/** `$` stands before either line ending: ripgrep's own option for it would take the carriage return for no character at all. */
const withEitherEnding = (pattern: string): string =>
  pattern.replace(ESCAPE_CLASS_OR_END, (part) => (part === "$" ? "\\r?$" : part));

/** Not sorted by ripgrep, which would use one thread for it. */
function modeArgs(mode: GrepMode, input: Input): string[] {
  if (mode === "files_with_matches") return ["--files-with-matches", "--null"];
  if (mode === "count") return ["--count", "--with-filename", "--null"];
  const around = input.context ?? input["-C"];
  return [
    "--null",
    "--with-filename",
    "--no-heading",
    input["-n"] === false ? "--no-line-number" : "--line-number",
    `--max-columns=${MAX_LINE_CHARS}`,
    "--max-columns-preview",
    ...(input["-o"] === true ? ["--only-matching"] : []),
    ...(around === undefined ? [] : [`--context=${around}`]),
    ...(input["-A"] === undefined ? [] : [`--after-context=${input["-A"]}`]),
    ...(input["-B"] === undefined ? [] : [`--before-context=${input["-B"]}`]),
  ];
}

/** Nothing found is no proof where the pattern asks for characters that other encodings write in other bytes. */
function encodingNote(pattern: string, entries: readonly Entry[]): string[] {
  const asksForOthers = /\P{ASCII}/u.test(pattern);
  if (!asksForOthers || entries.length > 0) return [];
  return [
    "In files that are neither UTF-8 nor UTF-16 with a byte order mark only ASCII characters are found: " +
      'for those write the others as .+ inside of (?-u:…), such as "(?-u:K.+ln)" for "Köln".',
  ];
}

function notesOn(result: ShellResult, filter: ReadFilter | undefined): string[] {
  const incomplete = incompleteNote(result);
  const problem = result.stderr.split("\n").find((line) => line !== "" && isShowable(line, filter));
  return [
    ...(incomplete === undefined ? [] : [incomplete]),
    ...(result.exitCode === 2 && problem !== undefined ? [`(Not everything could be searched: ${problem})`] : []),
  ];
}

/** A complaint about a file that must not be read would show that it is there. */
function isShowable(complaint: string, filter: ReadFilter | undefined): boolean {
  const name = /^(?:rg: )?\.\/(.*?): /.exec(complaint)?.[1];
  return filter === undefined || (name !== undefined && filter(name) === "open");
}

function incompleteFields({ timedOut, omittedBytes }: ShellResult): Shown["incomplete"] {
  if (timedOut) return { timedOut, countIsComplete: false };
  return omittedBytes > 0 ? { countIsComplete: false } : {};
}
