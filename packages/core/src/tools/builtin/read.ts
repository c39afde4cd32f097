import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_MESSAGE_CHARS } from "../result-budget.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { absolutePath, refusingFileErrors } from "./file-result.ts";
import { MAX_PAGES, MAX_WHOLE_PAGES } from "./pdf-pages.ts";
import { KIND_BYTES, kindOf } from "./read-kind.ts";
import { MAX_NOTICE_CHARS, type ReadRequest, withNotice } from "./read-request.ts";
import { BYTES_PER_TOKEN, readTextFile } from "./read-text.ts";
import { existingPath, missingFile } from "./similar-file.ts";

const readImageFile = onFirstCall(async () => (await import("./read-image.ts")).readImageFile);
const readNotebook = onFirstCall(async () => (await import("./read-notebook.ts")).readNotebook);
const readPdfFile = onFirstCall(async () => (await import("./read-pdf.ts")).readPdfFile);

const DEFAULT_MAX_READ_TOKENS = 25_000;

const inputSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Absolute path of the file." },
    offset: {
      type: "integer",
      minimum: 1,
      description: "First line to give, counted from 1. Only for a part of a file. Of a notebook the first cell.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      description: "How many lines to give, of a notebook how many cells. Only for a part of a file.",
    },
    pages: {
      type: "string",
      description: `Pages of a PDF, such as "3" or "1-5", at most ${MAX_PAGES}. Only for PDF files.`,
    },
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

type Limits = Pick<ReadRequest, "maxBytes" | "maxPartBytes"> & { maxResultChars: number };

/** A part and its notice fit into one message: nothing that has been read is to be read again from another file. */
function limitsOf(maxTokens: number): Limits {
  const maxBytes = maxTokens * BYTES_PER_TOKEN;
  const maxResultChars = Math.max(maxBytes, Math.min(maxBytes + MAX_NOTICE_CHARS, MAX_MESSAGE_CHARS));
  return { maxBytes, maxPartBytes: Math.min(maxBytes, maxResultChars - MAX_NOTICE_CHARS), maxResultChars };
}

/** `maxTokens`: how much one call may give. */
export function createReadTool({ maxTokens = DEFAULT_MAX_READ_TOKENS }: { maxTokens?: number } = {}) {
  const limits = limitsOf(maxTokens);
  return defineTool({
    name: "Read",
    description: `Reads a file. Each line of a text comes as its number, a tab and the line; the number and the tab are not part of the file.

- Without offset and limit the whole file is given, up to about ${maxTokens} tokens. A longer one gives its beginning and says PARTIAL view: read on with offset and limit.
- A file must be read before Edit changes it, and read as a whole before Write replaces it.
- Images (PNG, JPEG, GIF, WebP) are shown, large ones scaled down.
- Of a PDF the text of each page is given, and its picture where pdftoppm is installed. One with more than ${MAX_WHOLE_PAGES} pages needs pages.
- A notebook (.ipynb) is given as its cells with their outputs.
- For a directory use Glob, or ls through Bash.
- When the file has not changed since you read the same part, a short note is given instead; read once more to get it again.`,
    inputSchema,
    maxResultChars: limits.maxResultChars,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: ({ file_path }) => [{ type: "read", path: file_path }],
    run: (input, context) => refusingFileErrors(context.cwd, () => read(input, context, limits)),
  });
}

async function read(input: Input, context: ToolContext, limits: Limits): Promise<ToolResult> {
  const asked = absolutePath(input.file_path, context.cwd);
  const path = await existingPath(asked, context);
  if (path === undefined) return refusal(await missingFile(asked, context));
  const realPath = await context.files.realPath(path);
  const result = await readKind({ path, realPath, input, ...limits, context });
  return path === asked || result.isError ? result : withNotice(result, `The exact name of this file is ${path}.`);
}

async function readKind(request: ReadRequest): Promise<ToolResult> {
  const { path, context } = request;
  const head = await context.files.readHead(path, { signal: context.signal, headBytes: KIND_BYTES });
  const kind = kindOf(path, head);
  switch (kind.type) {
    case "text":
      return readTextFile(request);
    case "image":
      return readImageFile(request);
    case "pdf":
      return readPdfFile(request);
    case "notebook":
      return readNotebook(request);
    case "foreign_image": {
      const fix = "Convert it to PNG first, for example with ImageMagick.";
      return refusal(`${path} is a ${kind.name} image; only PNG, JPEG, GIF and WebP can be shown. ${fix}`);
    }
    default:
      return kind satisfies never;
  }
}
