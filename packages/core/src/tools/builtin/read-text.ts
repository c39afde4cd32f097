import { cutToBytes } from "../../files/line-range.ts";
import type { LineRange } from "../../files/workspace-files.ts";
import type { ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import {
  givenOf,
  isExplicit,
  markRead,
  type ReadRequest,
  shortenable,
  TOO_LONG,
  TOO_LONG_TOGETHER,
  unchangedResult,
  withNotice,
} from "./read-request.ts";

/** A rough measure that holds for code and English; the same as in the estimate of messages. */
export const BYTES_PER_TOKEN = 4;
/** A larger file is not read whole unless asked for by name. */
const MAX_WHOLE_FILE_BYTES = 256 * 1024;
/** Ranges are read from files up to this size: every byte is looked at once. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** A held text that lacks no more than its last character is then still seen to be too long. */
const MAX_CHARACTER_BYTES = 4;

/** The lines of a text file, numbered. */
export async function readTextFile(request: ReadRequest): Promise<ToolResult> {
  const { path, input, maxBytes, context } = request;
  if ((input.pages ?? "") !== "") {
    return refusal("`pages` is for PDF files only. For a text file use offset and limit.");
  }
  const tooLarge = await wholeFileTooLarge(request);
  if (tooLarge !== undefined) return refusal(tooLarge);
  const bounds = { maxBytes: MAX_FILE_BYTES, maxTextBytes: maxBytes + MAX_CHARACTER_BYTES };
  const range = await context.files.readLines(path, { signal: context.signal, ...bounds, ...givenOf(request) });
  return answer(request, range);
}

function answer(request: ReadRequest, range: LineRange): ToolResult {
  const { path, maxBytes, maxPartBytes } = request;
  const given = givenOf(request);
  const { offset } = given;
  const unchanged = unchangedResult(request, range, given);
  if (unchanged !== undefined) return unchanged;
  if (range.totalLines > 0 && offset > range.totalLines) {
    return withNotice(textResult(path, [], range, offset), pastTheEnd(range, offset));
  }
  const page = fittingLines(range.lines, offset, maxBytes);
  const isPartial = range.isCut || page.lines.length < range.lines.length || page.isLineCut;
  if (isPartial && isExplicit(request)) return refusal(rangeTooLarge(range, offset, maxBytes));
  const partOf = (bytes: number) => partialResult(path, range, offset, bytes, TOO_LONG_TOGETHER);
  if (isPartial) return shortenable(partialResult(path, range, offset, maxPartBytes, TOO_LONG), partOf);

  markRead(request, range, given, range.rangeLines === range.totalLines);
  const result = shortenable(textResult(path, page.lines, range, offset), partOf);
  return range.totalLines === 0 ? withNotice(result, "The file exists but is empty.") : result;
}

/** The first lines of the range. */
function partialResult(path: string, range: LineRange, offset: number, maxBytes: number, why: string): ToolResult {
  const page = fittingLines(range.lines, offset, maxBytes);
  return withNotice(textResult(path, page.lines, range, offset, true), partialView(page, range, offset, why));
}

async function wholeFileTooLarge(request: ReadRequest): Promise<string | undefined> {
  const { path, input, context } = request;
  if (isExplicit(request) || input.allow_large === true) return undefined;
  const size = (await context.files.stat(path))?.size ?? 0;
  if (size <= MAX_WHOLE_FILE_BYTES) return undefined;
  const kilobytes = (size / 1024).toFixed(1);
  return `File content (${kilobytes} KB) exceeds maximum allowed size (256KB). Please use offset and limit to read parts of it, Grep to search it, or allow_large to get its beginning.`;
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
  truncatedByTokenCap = false,
): ToolResult {
  const content = lines.map((line, index) => numbered(line, startLine + index)).join("\n");
  const file = {
    filePath,
    content: lines.join("\n"),
    numLines: lines.length,
    startLine,
    totalLines,
    ...(truncatedByTokenCap ? { truncatedByTokenCap } : {}),
  };
  return { content, structured: { type: "text", file } };
}

function pastTheEnd({ totalLines }: LineRange, offset: number): string {
  return `The file has ${totalLines} lines; offset ${offset} is past its end. Nothing was read.`;
}

function partialView({ lines, isLineCut }: Page, { totalLines }: LineRange, offset: number, why: string): string {
  const last = offset + lines.length - 1;
  const shown = isLineCut ? `only the beginning of line ${offset}` : `lines ${offset} to ${last}`;
  const next = isLineCut ? "Look into the line with Grep or Bash." : `Go on with offset ${last + 1} and a limit.`;
  return `PARTIAL view: the file ${why}. Shown: ${shown} of ${totalLines}. ${next} This view does not allow Write or Edit.`;
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
