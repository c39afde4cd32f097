import { extname } from "node:path";
import type { FileState } from "../../files/file-state-cache.ts";
import { requireKnownEncoding } from "../../files/known-encoding.ts";
import { toLf } from "../../files/line-endings.ts";
import { findMatches, replaceMatches, type TextMatches } from "../../files/replace-text.ts";
import { structuredPatch } from "../../files/structured-patch.ts";
import type { TextFile } from "../../files/workspace-files.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import {
  absolutePath,
  fileMissing,
  MAX_EDITABLE_BYTES,
  MODIFIED_SINCE_READ,
  NOT_READ,
  refusingFileErrors,
  requireRegularFile,
} from "./file-result.ts";
import { lookAlike, meantInstead } from "./similar-file.ts";
import { createFile } from "./write.ts";

/** Of a file that has changed, so many lines are shown around the place that was meant. */
const EXCERPT_LINES = 20;
const MAX_EXCERPT_CHARS = 2_000;

const NO_CHANGES = "No changes to make: old_string and new_string are exactly the same.";

const inputSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Absolute path of the file." },
    old_string: { type: "string", description: "The text to replace, as it is in the file." },
    new_string: { type: "string", description: "The text to put in its place; must differ from old_string." },
    replace_all: { type: "boolean", default: false, description: "Replace every occurrence of old_string." },
  },
  required: ["file_path", "old_string", "new_string"],
  additionalProperties: false,
} as const;

type Input = { file_path: string; old_string: string; new_string: string; replace_all?: boolean };

export const editTool = defineTool({
  name: "Edit",
  description: `Replaces one piece of text in a file by another and leaves all else as it is.

- Read the file first. old_string is the text as Read shows it, indentation included, without the line numbers and the tab after them.
- old_string must occur exactly once: add lines around it until it does, or set replace_all to replace every occurrence.
- The file's own line endings are kept, also in new lines; \\r is not needed in either string.
- An empty old_string with the path of a missing file makes that file.
- Not for notebooks (.ipynb).`,
  inputSchema,
  maxResultChars: 50_000,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  touches: ({ file_path }) => [{ type: "write", path: file_path }],
  run: (input, context) => refusingFileErrors(context.cwd, () => edit(input, context)),
});

async function edit(input: Input, context: ToolContext): Promise<ToolResult> {
  const path = absolutePath(input.file_path, context.cwd);
  const { old_string: oldString, new_string: newString } = input;
  const wrong = wrongInput(path, oldString, newString);
  if (wrong !== undefined) return refusal(wrong);
  const { files, signal } = context;
  if (oldString === "" && (await files.stat(path)) === undefined) {
    const alike = await lookAlike(path, context);
    return alike === undefined ? create(path, newString, context) : refusal(alike);
  }
  const state = await readStateOf(path, context);
  if (typeof state === "string") return refusal(state);

  const file = await files.readText(path, { signal, maxBytes: MAX_EDITABLE_BYTES });
  const matches = findMatches(file.text, oldString);
  const isStale = state.hash !== file.hash;
  const problem = wrongMatches(file, matches, input, isStale);
  if (problem !== undefined) return refusal(problem);
  requireKnownEncoding(path, file, newString);
  const text = oldString === "" ? newString : await replaceMatches(file.text, matches, newString);
  if (text === file.text) return refusal(`${NO_CHANGES} (The line endings of the file are kept.)`);
  await writeEdited(path, file, text, state.isWhole && !isStale, context);
  return {
    content: `The file ${path} has been updated successfully.${notes(matches, input, isStale)}`,
    structured: await structured(path, input, file.text, text),
  };
}

function wrongInput(path: string, oldString: string, newString: string): string | undefined {
  if (oldString === newString) return NO_CHANGES;
  if (extname(path).toLowerCase() === ".ipynb") return "File is a Jupyter Notebook. Use NotebookEdit to change it.";
  if (!oldString.isWellFormed() || !newString.isWellFormed()) {
    return "old_string or new_string holds half of a character (a lone surrogate). Send whole characters.";
  }
  return undefined;
}

/** What the model knows of the file, or why it may not change it. */
async function readStateOf(path: string, context: ToolContext): Promise<FileState | string> {
  const { files, readState, cwd } = context;
  const stamp = await files.stat(path);
  if (stamp === undefined) return `${fileMissing(cwd)}${await meantInstead(path, context)}`;
  if (!stamp.isRegular) await requireRegularFile(path, context);
  return readState.get(await files.realPath(path)) ?? NOT_READ;
}

function wrongMatches(file: TextFile, matches: TextMatches, input: Input, isStale: boolean): string | undefined {
  const found = matches.spans.length;
  if (isStale && (found !== 1 || !matches.isExact)) return MODIFIED_SINCE_READ + excerpt(file.text, input.old_string);
  if (input.old_string === "") {
    return file.text === ""
      ? undefined
      : "old_string is empty, but the file is not. Give the text to replace, or use Write.";
  }
  if (found === 0) return `String to replace not found in file.\nString: ${input.old_string}`;
  if (!matches.isExact && found > 1) {
    return `String to replace not found in file.\nString: ${input.old_string}\n${found} places read the same but have other quotes, blanks or accents. Give one of them as it is in the file, or with more lines around it.`;
  }
  if (found === 1 || input.replace_all === true) return undefined;
  return `Found ${found} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${input.old_string}`;
}

/** The lines around the first one that `oldString` begins with, numbered; nothing when the file has no such line. */
function excerpt(text: string, oldString: string): string {
  const [firstLine = ""] = toLf(oldString).trim().split("\n");
  const lines = toLf(text).split("\n");
  const at = firstLine.trim() === "" ? -1 : lines.findIndex((line) => line.includes(firstLine.trim()));
  if (at === -1) return "";
  const from = Math.max(0, at - EXCERPT_LINES / 2);
  const shown = lines.slice(from, from + EXCERPT_LINES).map((line, index) => `${from + index + 1}\t${line}`);
  return `\nAround there it now reads:\n${shown.join("\n").slice(0, MAX_EXCERPT_CHARS).toWellFormed()}`;
}

async function create(path: string, newString: string, context: ToolContext): Promise<ToolResult> {
  await createFile(path, newString, context);
  const structuredResult = await structured(
    path,
    { file_path: path, old_string: "", new_string: newString },
    "",
    newString,
  );
  return { content: `File created successfully at: ${path}`, structured: structuredResult };
}

async function writeEdited(
  path: string,
  file: TextFile,
  text: string,
  isWhole: boolean,
  { files, readState }: ToolContext,
): Promise<void> {
  const written = await files.writeText(path, {
    text,
    hasBom: file.hasBom,
    encoding: file.encoding,
    expectedHash: file.hash,
  });
  const { hash, mtimeMs, size } = written;
  readState.set(await files.realPath(path), { hash, mtimeMs, size, isWhole });
}

function notes(matches: TextMatches, input: Input, isStale: boolean): string {
  let text = "";
  if (input.replace_all === true) text += " All occurrences were replaced.";
  if (!matches.isExact && input.old_string !== "") {
    text +=
      " Note: old_string was found with other kinds of quotes, blanks or accents than given; those that the edit leaves alone stay as they are in the file.";
  }
  if (isStale) {
    text +=
      " Note: the file had changed since you read it. old_string still matched exactly once, so the edit was made in the file as it is now; read it again to see the other changes.";
  }
  return text;
}

async function structured(path: string, input: Input, before: string, after: string): Promise<object> {
  return {
    filePath: path,
    oldString: input.old_string,
    newString: input.new_string,
    originalFile: before.toWellFormed(),
    structuredPatch: await structuredPatch(before, after),
    userModified: false,
    replaceAll: input.replace_all ?? false,
  };
}
