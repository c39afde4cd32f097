import type { FileState } from "../../files/file-state-cache.ts";
import type { FileStamp } from "../../files/workspace-files.ts";
import type { ContentBlock } from "../../messages/message.ts";
import { textOfResult } from "../result-budget.ts";
import type { ToolContext, ToolResult } from "../tool.ts";

/** One read of a file that is there. */
export type ReadRequest = {
  /** Absolute, as it is shown. */
  path: string;
  /** Links resolved: what the read state is kept by. */
  realPath: string;
  input: { offset?: number; limit?: number; pages?: string; allow_large?: boolean };
  /** Of text that the result may hold when nothing is left out. */
  maxBytes: number;
  /** Of text that a part may hold, so that there is room for what is said of it. */
  maxPartBytes: number;
  context: ToolContext;
};

/** Lines, cells or pages that are given, the first counted from 1; without `limit` all that follow. */
type Given = { offset: number; limit?: number };

type HashedStamp = Pick<FileStamp, "mtimeMs" | "size"> & { hash: string };

export const isExplicit = ({ input: { offset, limit } }: ReadRequest): boolean =>
  offset !== undefined || limit !== undefined;

export function givenOf({ input: { offset = 1, limit } }: ReadRequest): Given {
  return limit === undefined ? { offset } : { offset, limit };
}

/** A short note in the place of what the conversation shows already; undefined when it does not, or the file has changed. */
export function unchangedResult(
  { path, realPath, context: { readState } }: ReadRequest,
  { hash, mtimeMs, size }: HashedStamp,
  given: Given,
): ToolResult | undefined {
  const before = readState.get(realPath);
  if (before?.hash !== hash || !isSame(before.given, given)) return undefined;
  // Said once only: what was given may have left the conversation, and then the model asks again.
  readState.set(realPath, { hash, mtimeMs, size, isWhole: before.isWhole });
  return {
    content: `File unchanged since last read: ${path} still holds what this conversation shows of these lines. If you no longer see them, read once more and they are given again.`,
    structured: { type: "file_unchanged", file: { filePath: path } },
  };
}

const isSame = (one: FileState["given"], other: Given): boolean =>
  one !== undefined && one.offset === other.offset && one.limit === other.limit;

/** The file is known from now on; as a whole when all of it was given, now or before its bytes changed. */
export function markRead(
  { realPath, context: { readState } }: ReadRequest,
  { hash, mtimeMs, size }: HashedStamp,
  given: Given,
  isAll: boolean,
): void {
  const before = readState.get(realPath);
  const isWhole = isAll || (before?.hash === hash && before.isWhole);
  readState.set(realPath, { hash, mtimeMs, size, isWhole, given });
}

export const reminder = (notice: string): string => `<system-reminder>${notice}</system-reminder>`;

/** What the notice of a part takes at most, without a path. Characters. */
export const MAX_NOTICE_CHARS = 500;

/** Why less is given than there is. */
export const TOO_LONG = "is too long to be given at once";
export const TOO_LONG_TOGETHER = "is too long to be given together with the other results of this answer";

/** A shorter text would not get shorter by what is said of its part. Characters. */
const MIN_SHORTENED_CHARS = 2 * MAX_NOTICE_CHARS;

/** A result that can also be given in fewer characters: `partOf` makes it of so many bytes of text. */
export function shortenable(
  result: ToolResult,
  partOf: (maxBytes: number) => ToolResult | Promise<ToolResult>,
): ToolResult {
  if (textOfResult(result.content).length < MIN_SHORTENED_CHARS) return result;
  // A character takes at least as many bytes.
  return { ...result, shorten: async (maxChars) => partOf(Math.max(0, maxChars - MAX_NOTICE_CHARS)) };
}

/** A result with a remark of ours after it. */
export function withNotice(result: ToolResult, notice: string): ToolResult {
  const { content, shorten } = result;
  const remark = reminder(notice);
  const noticed = {
    ...result,
    ...(shorten && {
      shorten: async (maxChars: number) => withNotice(await shorten(maxChars - remark.length), notice),
    }),
  };
  if (typeof content !== "string") return { ...noticed, content: [...content, textBlock(remark)] };
  return { ...noticed, content: content === "" ? remark : `${content}\n\n${remark}` };
}

export const textBlock = (text: string): ContentBlock => ({ type: "text", text });
