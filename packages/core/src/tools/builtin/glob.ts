import { join, resolve } from "node:path";
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
    touches: (input) => [{ type: "read", path: splitPattern(input).folder }],
    run: (input, context) => findFiles(input, context, options),
  });
}

async function findFiles(input: Input, context: ToolContext, options: GlobOptions): Promise<ToolResult> {
  const { cwd, files } = context;
  if (input.pattern.trim() === "") return searchError('The pattern is empty. Give one such as "**/*.ts".');
  const searched = resolve(cwd, input.path ?? ".");
  if ((await files.stat(searched))?.isDirectory !== true) {
    return searchError(`Directory does not exist: ${searched}. Note: your current working directory is ${cwd}.`);
  }
  const { folder, rest } = splitPattern(input);
  const start = resolve(cwd, folder);
  if ((await files.stat(start))?.isDirectory !== true) return found([], 0, undefined);

  const args = ["--files", "--null", "--sortr=modified", ...(options.noIgnore === true ? ["--no-ignore"] : [])];
  const result = await ripgrep(args, start, context, options);
  const failure = searchFailure(result);
  if (failure !== undefined) return searchError(failure);

  const { default: picomatch } = await import("picomatch");
  const matches = picomatch(rest, { dot: true });
  // A name such as `[id].tsx` is also meant as it is written.
  const names = nulEntries(result.stdout).filter((name) => name === rest || matches(name));
  const paths = names.map((name) => shownPath(join(start, name), cwd));
  return found(paths, result.durationMs, incompleteNote(result), result.timedOut);
}

function found(
  paths: readonly string[],
  durationMs: number,
  incomplete: string | undefined,
  timedOut = false,
): ToolResult {
  const filenames = paths.slice(0, MAX_FILES);
  const truncated = paths.length > filenames.length;
  const notes = [
    ...(paths.length === 0 ? ["No files found"] : []),
    ...(truncated ? [`(The newest ${MAX_FILES} of ${paths.length} files; a narrower pattern shows the others.)`] : []),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  return {
    content: [...filenames, ...notes].join("\n"),
    structured: {
      durationMs: Math.round(durationMs),
      numFiles: filenames.length,
      filenames,
      truncated,
      totalMatches: paths.length,
      countIsComplete: incomplete === undefined,
      ...(timedOut && { timedOut }),
    },
  };
}

/** The folders that a pattern begins with literally, where the walk starts, and what is matched below them. */
function splitPattern({ pattern, path = "." }: Input): { folder: string; rest: string } {
  const segments = pattern.split("/");
  const wild = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment));
  const at = wild === -1 ? segments.length - 1 : wild;
  const literal = segments.slice(0, at).join("/");
  // An absolute pattern stands alone, as a path does.
  const folder = pattern.startsWith("/") ? literal || "/" : join(path, literal);
  return { folder, rest: segments.slice(at).join("/") };
}
