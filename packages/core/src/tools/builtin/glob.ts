import { join, resolve } from "node:path";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import {
  askedNote,
  incompleteNote,
  nulEntries,
  quotedPath,
  type RipgrepOptions,
  ripgrep,
  searchFailure,
  shownPath,
} from "./ripgrep.ts";
import { MAX_TIMED_FILES, newestFirst } from "./search-order.ts";
import { pathScope, readable, splitGlob, startOf } from "./search-scope.ts";

export type GlobOptions = RipgrepOptions & {
  /** Lists what ignore files name, too. */
  noIgnore?: boolean;
};

const MAX_FILES = 100;

const inputSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: 'Glob pattern, such as "src/**/*.ts" or "*.{json,yaml}".' },
    path: { type: "string", description: "Directory in which to look. Leave it out for the working directory." },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;

type Input = { pattern: string; path?: string };

/** Finds files by the pattern of their path. */
export function createGlobTool(options: GlobOptions = {}) {
  return defineTool({
    name: "Glob",
    description: `Finds files by a glob pattern. Gives their paths, the newest first, at most ${MAX_FILES}.

- \`*\` stays within one folder, \`**\` goes through any number of folders: \`*.ts\` finds files in the directory itself, \`**/*.ts\` also below it.
- Hidden files are found. The insides of .git and what an ignore file (.gitignore, .ignore) names are not, unless the pattern begins with the ignored folder.
- Paths are relative to the working directory, or absolute outside it.`,
    inputSchema,
    maxResultChars: 50_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: ({ pattern, path }) => [{ type: "read", path: startOf(path, splitGlob(pattern).folder) }],
    run: (input, context) => findFiles(input, context, options),
  });
}

async function findFiles(input: Input, context: ToolContext, options: GlobOptions): Promise<ToolResult> {
  const { cwd, files } = context;
  if (input.pattern.trim() === "") return refusal('The pattern is empty. Give one such as "**/*.ts".');
  const searched = resolve(cwd, input.path ?? ".");
  if ((await files.stat(searched))?.isDirectory !== true) {
    return refusal(`Directory does not exist: ${searched}. Note: your current working directory is ${cwd}.`);
  }
  const scope = await pathScope(input.pattern);
  const start = resolve(cwd, startOf(input.path, scope.folder));
  if ((await files.stat(start))?.isDirectory !== true) return found([], { total: 0, durationMs: 0, notes: [] });

  const args = ["--files", "--null", ...scope.narrowing, ...(options.noIgnore === true ? ["--no-ignore"] : [])];
  const result = await ripgrep(args, start, context, options);
  const failure = searchFailure(result);
  if (failure !== undefined) return failure;

  const matching = nulEntries(result.stdout).filter(scope.matches);
  const { names, asked } = readable(matching, await context.readAccess?.below(start));
  const newest = (await newestFirst(names, start, context)).slice(0, MAX_FILES);
  const { durationMs, timedOut } = result;
  const incomplete = incompleteNote(result);
  const about = { total: names.length, durationMs, timedOut, ...(incomplete && { incomplete }) };
  return found(
    newest.map((name) => shownPath(join(start, name), cwd)),
    { ...about, notes: askedNote(asked) },
  );
}

type About = { total: number; durationMs: number; timedOut?: boolean; incomplete?: string; notes: readonly string[] };

function found(filenames: readonly string[], about: About): ToolResult {
  const { total, durationMs, timedOut = false, incomplete, notes: more } = about;
  const truncated = total > filenames.length;
  const which = total > MAX_TIMED_FILES ? "By path the first" : "The newest";
  const notes = [
    ...(total === 0 ? ["No files found"] : []),
    ...(truncated ? [`(${which} ${MAX_FILES} of ${total} files; a narrower pattern shows the others.)`] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
    ...more,
  ];
  return {
    content: [...filenames.map(quotedPath), ...notes].join("\n"),
    structured: {
      durationMs: Math.round(durationMs),
      numFiles: filenames.length,
      filenames,
      truncated,
      totalMatches: total,
      countIsComplete: incomplete === undefined,
      ...(timedOut && { timedOut }),
    },
  };
}
