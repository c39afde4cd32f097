import type { FileState } from "../../files/file-state-cache.ts";
import type { FileStamp } from "../../files/workspace-files.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { ToolContext, ToolResult } from "../tool.ts";

/** One read of a file that is there. */
export type ReadRequest = {
  /** Absolute, as it is shown. */
  path: string;
  /** Links resolved: what the read state is kept by. */
  realPath: string;
  input: { offset?: number; limit?: number; pages?: string; allow_large?: boolean };
  /** Of text that the result may hold. */
  maxBytes: number;
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

/** A result with a remark of ours after it. */
export function withNotice(result: ToolResult, notice: string): ToolResult {
  const { content } = result;
  const remark = reminder(notice);
  if (typeof content !== "string") return { ...result, content: [...content, textBlock(remark)] };
  return { ...result, content: content === "" ? remark : `${content}\n\n${remark}` };
}

export const textBlock = (text: string): ContentBlock => ({ type: "text", text });
