import { extname } from "node:path";
import type { FileState } from "../../files/file-state-cache.ts";
import { cutToBytes } from "../../files/line-range.ts";
import type { LineRange } from "../../files/workspace-files.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { absolutePath, refusal, refusingFileErrors } from "./file-result.ts";

export const DEFAULT_MAX_READ_TOKENS = 25_000;
/** A rough measure that holds for code and English; the same as in the estimate of messages. */
const BYTES_PER_TOKEN = 4;
/** A larger file is not read whole unless asked for by name. */
const MAX_WHOLE_FILE_BYTES = 256 * 1024;
/** Ranges are read from files up to this size: every byte is looked at once. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** A held text that lacks no more than its last character is then still seen to be too long. */
const MAX_CHARACTER_BYTES = 4;
/** What a notice may add to the lines. */
const MAX_NOTICE_CHARS = 1_000;

const inputSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Absolute path of the file." },
    offset: {
      type: "integer",
      minimum: 1,
      description: "First line to give, counted from 1. Only for a part of a file.",
    },
    limit: { type: "integer", minimum: 1, description: "How many lines to give. Only for a part of a file." },
    pages: { type: "string", description: 'Page range of a PDF, such as "1-5". Not for text files.' },
    allow_large: {
      type: "boolean",
      description:
        "Give the first part of a file above 256KB, which is refused otherwise unless offset or limit is set.",
    },
  },
  required: ["file_path"],
  additionalProperties: false,
} as const;

type Input = { file_path: string; offset?: number; limit?: number; pages?: string; allow_large?: boolean };

/** `maxTokens`: how much one call may give. */
export function createReadTool({ maxTokens = DEFAULT_MAX_READ_TOKENS }: { maxTokens?: number } = {}) {
  return defineTool({
    name: "Read",
    description: `Reads a text file. Each line comes as its number, a tab and the line; the number and the tab are not part of the file.

- Without offset and limit the whole file is given, up to about ${maxTokens} tokens. A longer one gives its beginning and says PARTIAL view: read on with offset and limit.
- A file must be read before Edit changes it, and read as a whole before Write replaces it.
- UTF-8 text only: images, PDF files, notebooks and other encodings cannot be read yet. For a directory use Glob, or ls through Bash.
- When the file has not changed since you read the same lines, a short note is given instead; read once more to get the lines again.`,
    inputSchema,
    maxResultChars: maxTokens * BYTES_PER_TOKEN + MAX_NOTICE_CHARS,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: ({ file_path }) => [{ type: "read", path: file_path }],
    run: (input, context) => refusingFileErrors(context.cwd, () => read(input, context, maxTokens * BYTES_PER_TOKEN)),
  });
}

export const readTool = createReadTool();

async function read(input: Input, context: ToolContext, maxResultBytes: number): Promise<ToolResult> {
  const path = absolutePath(input.file_path, context.cwd);
  const unreadable = unreadableKind(path) ?? pagesOfText(input);
  if (unreadable !== undefined) return refusal(unreadable);
  const tooLarge = await wholeFileTooLarge(path, input, context);
  if (tooLarge !== undefined) return refusal(tooLarge);

  const { offset = 1, limit } = input;
  const request = {
    signal: context.signal,
    maxBytes: MAX_FILE_BYTES,
    maxTextBytes: maxResultBytes + MAX_CHARACTER_BYTES,
    offset,
  };
  const range = await context.files.readLines(path, limit === undefined ? request : { ...request, limit });
  return answer(await context.files.realPath(path), { ...input, file_path: path }, range, context, maxResultBytes);
}

function answer(
  realPath: string,
  input: Input,
  range: LineRange,
  { readState }: ToolContext,
  maxResultBytes: number,
): ToolResult {
  const { file_path, offset = 1 } = input;
  const before = readState.get(realPath);
  if (isUnchanged(before, input, range)) {
    // Said once only: the lines may have left the conversation, and then the model asks again.
    readState.set(realPath, seen(range, input, { isWhole: before?.isWhole === true, isGiven: false }));
    return unchanged(file_path);
  }
  if (range.totalLines > 0 && offset > range.totalLines) {
    return textResult(file_path, [], range, offset, pastTheEnd(range, offset));
  }
  const page = fittingLines(range.lines, offset, maxResultBytes);
  const isPartial = range.isCut || page.lines.length < range.lines.length || page.isLineCut;
  if (isPartial && isExplicit(input)) return refusal(rangeTooLarge(range, offset, maxResultBytes));
  if (isPartial) return textResult(file_path, page.lines, range, offset, partialView(page, range), true);

  const isWhole = range.rangeLines === range.totalLines || (before?.hash === range.hash && before.isWhole);
  readState.set(realPath, seen(range, input, { isWhole, isGiven: true }));
  return textResult(
    file_path,
    page.lines,
    range,
    offset,
    range.totalLines === 0 ? "The file exists but is empty." : "",
  );
}

const isExplicit = ({ offset, limit }: Input) => offset !== undefined || limit !== undefined;

function unreadableKind(path: string): string | undefined {
  switch (extname(path).toLowerCase()) {
    case ".png":
    case ".jpg":
    case ".jpeg":
    case ".gif":
    case ".webp":
    case ".bmp":
    case ".ico":
    case ".tif":
    case ".tiff":
      return `${path} is an image. Images cannot be read yet, only text files.`;
    case ".pdf":
      return `${path} is a PDF file. PDF files cannot be read yet, only text files; try pdftotext through Bash.`;
    case ".ipynb":
      return `${path} is a notebook. Notebooks cannot be read yet, only text files; try jq through Bash.`;
    default:
      return undefined;
  }
}

function pagesOfText({ pages = "" }: Input): string | undefined {
  return pages === "" ? undefined : "`pages` is for PDF files only. For a text file use offset and limit.";
}

async function wholeFileTooLarge(path: string, input: Input, { files }: ToolContext): Promise<string | undefined> {
  if (isExplicit(input) || input.allow_large === true) return undefined;
  const size = (await files.stat(path))?.size ?? 0;
  if (size <= MAX_WHOLE_FILE_BYTES) return undefined;
  const kilobytes = (size / 1024).toFixed(1);
  return `File content (${kilobytes} KB) exceeds maximum allowed size (256KB). Please use offset and limit to read parts of it, Grep to search it, or allow_large to get its beginning.`;
}

function isUnchanged(before: FileState | undefined, { offset = 1, limit }: Input, range: LineRange): boolean {
  const given = before?.given;
  return before?.hash === range.hash && given !== undefined && given.offset === offset && given.limit === limit;
}

function unchanged(path: string): ToolResult {
  return {
    content: `File unchanged since last read: ${path} still holds what this conversation shows of these lines. If you no longer see them, read once more and they are given again.`,
    structured: { type: "file_unchanged", file: { filePath: path } },
  };
}

function seen(
  { hash, mtimeMs, size }: LineRange,
  { offset = 1, limit }: Input,
  { isWhole, isGiven }: { isWhole: boolean; isGiven: boolean },
): FileState {
  const state = { hash, mtimeMs, size, isWhole };
  if (!isGiven) return state;
  return { ...state, given: limit === undefined ? { offset } : { offset, limit } };
}

type Page = { lines: string[]; isLineCut: boolean };

/** As many of `lines` as fit with their numbers; of a first line that is too long, its beginning. */
function fittingLines(lines: readonly string[], offset: number, maxBytes: number): Page {
  let room = maxBytes;
  const end = lines.findIndex((line, index) => {
    room -= Buffer.byteLength(numbered(line, offset + index)) + 1;
    return room < -1; // the last line has no newline after it
  });
  const [first = ""] = lines;
  if (end === 0) return { lines: [cutToBytes(first, maxBytes - numbered("", offset).length)], isLineCut: true };
  return { lines: lines.slice(0, end === -1 ? lines.length : end), isLineCut: false };
}

const numbered = (line: string, number: number) => `${number}\t${line}`;

function textResult(
  filePath: string,
  lines: readonly string[],
  { totalLines }: LineRange,
  startLine: number,
  notice: string,
  truncatedByTokenCap = false,
): ToolResult {
  const shown = lines.map((line, index) => numbered(line, startLine + index)).join("\n");
  const file = {
    filePath,
    content: lines.join("\n"),
    numLines: lines.length,
    startLine,
    totalLines,
    ...(truncatedByTokenCap ? { truncatedByTokenCap } : {}),
  };
  const content =
    notice === "" ? shown : [shown, `<system-reminder>${notice}</system-reminder>`].filter(Boolean).join("\n\n");
  return { content, structured: { type: "text", file } };
}

function pastTheEnd({ totalLines }: LineRange, offset: number): string {
  return `The file has ${totalLines} lines; offset ${offset} is past its end. Nothing was read.`;
}

function partialView({ lines, isLineCut }: Page, { totalLines }: LineRange): string {
  const shown = isLineCut ? "only the beginning of line 1" : `lines 1 to ${lines.length}`;
  const next = isLineCut
    ? "Look into the line with Grep or Bash."
    : `Go on with offset ${lines.length + 1} and a limit.`;
  return `PARTIAL view: the file is too long to be given at once. Shown: ${shown} of ${totalLines}. ${next} This view does not allow Write or Edit.`;
}

function rangeTooLarge({ rangeBytes, rangeLines }: LineRange, offset: number, maxBytes: number): string {
  const tokens = Math.ceil((rangeBytes + numberBytes(offset, rangeLines)) / BYTES_PER_TOKEN);
  return `File content (${tokens} tokens) exceeds maximum allowed tokens (${maxBytes / BYTES_PER_TOKEN}). Please use offset and limit to read a smaller part of the file, or Grep to search it.`;
}

/** Of the line numbers and their tabs. */
function numberBytes(offset: number, lines: number): number {
  let bytes = 0;
  for (let number = offset; number < offset + lines; number++) bytes += String(number).length + 1;
  return bytes;
}
