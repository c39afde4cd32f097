import { requireKnownEncoding } from "../../files/known-encoding.ts";
import { lineEndingOf } from "../../files/line-endings.ts";
import { structuredPatch } from "../../files/structured-patch.ts";
import type { NewText, TextFile } from "../../files/workspace-files.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import {
  absolutePath,
  MAX_EDITABLE_BYTES,
  MODIFIED_SINCE_READ,
  NOT_READ,
  refusingFileErrors,
  requireRegularFile,
} from "./file-result.ts";
import { lookAlike } from "./similar-file.ts";

const BYTE_ORDER_MARK = "\uFEFF";

const inputSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Absolute path of the file." },
    content: { type: "string", description: "All that the file shall hold." },
  },
  required: ["file_path", "content"],
  additionalProperties: false,
} as const;

type Input = { file_path: string; content: string };

export const writeTool = defineTool({
  name: "Write",
  description: `Makes a file, or replaces all that a file holds. Missing parent directories are made.

- A file that exists must have been read as a whole first, and not have changed since.
- To change a part of a file use Edit.
- The content is written as UTF-8, exactly as given, line endings included; an existing file keeps its permissions and its byte order mark.`,
  inputSchema,
  maxResultChars: 50_000,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  touches: ({ file_path }) => [{ type: "write", path: file_path }],
  run: (input, context) => refusingFileErrors(context.cwd, () => write(input, context)),
});

async function write({ file_path, content }: Input, context: ToolContext): Promise<ToolResult> {
  const path = absolutePath(file_path, context.cwd);
  const stamp = await context.files.stat(path);
  if (stamp === undefined) {
    const alike = await lookAlike(path, context);
    return alike === undefined ? create(path, content, context) : refusal(alike);
  }
  if (!stamp.isRegular) await requireRegularFile(path, context);
  const state = context.readState.get(await context.files.realPath(path));
  if (state?.isWhole !== true) return refusal(NOT_READ);
  const before = await context.files.readText(path, { signal: context.signal, maxBytes: MAX_EDITABLE_BYTES });
  if (before.hash !== state.hash) return refusal(MODIFIED_SINCE_READ);
  return replace(path, content, before, context);
}

/** Also of Edit, whose empty `old_string` makes a file. Makes nothing when there is a file meanwhile. */
export async function createFile(path: string, content: string, context: ToolContext): Promise<void> {
  const hasBom = content.startsWith(BYTE_ORDER_MARK);
  await writeWhole(path, { text: hasBom ? content.slice(1) : content, hasBom, expectedHash: null }, context);
}

async function create(path: string, content: string, context: ToolContext): Promise<ToolResult> {
  await createFile(path, content, context);
  return {
    content: `File created successfully at: ${path}`,
    structured: {
      type: "create",
      filePath: path,
      content,
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    },
  };
}

async function replace(path: string, content: string, before: TextFile, context: ToolContext): Promise<ToolResult> {
  const text = content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
  requireKnownEncoding(path, before, text);
  const hasBom = before.hasBom || text !== content;
  await writeWhole(path, { text, hasBom, encoding: before.encoding, expectedHash: before.hash }, context);
  return {
    content: `The file ${path} has been updated successfully.${changedEndings(before.text, text)}`,
    structured: {
      type: "update",
      filePath: path,
      content,
      structuredPatch: await structuredPatch(before.text, text),
      originalFile: before.text.toWellFormed(),
      userModified: false,
    },
  };
}

async function writeWhole(path: string, file: NewText, { files, readState }: ToolContext): Promise<void> {
  const { hash, mtimeMs, size } = await files.writeText(path, file);
  readState.set(await files.realPath(path), { hash, mtimeMs, size, isWhole: true });
}

/** The model does not see line endings when it reads, so it is told that it has changed them. */
function changedEndings(before: string, after: string): string {
  const [old, now] = [lineEndingOf(before), lineEndingOf(after)];
  if (old !== "\r\n" || now !== "\n") return "";
  return " Note: its lines ended in CRLF, now they end in LF, as in the content given.";
}
