import { basename, dirname, join } from "node:path";
import { findName, similarPaths } from "../../files/find-name.ts";
import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { absolutePath, refusal, refusingFileErrors } from "./file-result.ts";
import { MAX_PAGES, MAX_WHOLE_PAGES } from "./pdf-pages.ts";
import { KIND_BYTES, kindOf } from "./read-kind.ts";
import { type ReadRequest, withNotice } from "./read-request.ts";
import { BYTES_PER_TOKEN, readTextFile } from "./read-text.ts";

const readImageFile = onFirstCall(async () => (await import("./read-image.ts")).readImageFile);
const readNotebook = onFirstCall(async () => (await import("./read-notebook.ts")).readNotebook);
const readPdfFile = onFirstCall(async () => (await import("./read-pdf.ts")).readPdfFile);

const DEFAULT_MAX_READ_TOKENS = 25_000;
/** What a notice may add to the lines. */
const MAX_NOTICE_CHARS = 1_000;

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

/** `maxTokens`: how much one call may give. */
export function createReadTool({ maxTokens = DEFAULT_MAX_READ_TOKENS }: { maxTokens?: number } = {}) {
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
    maxResultChars: maxTokens * BYTES_PER_TOKEN + MAX_NOTICE_CHARS,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: ({ file_path }) => [{ type: "read", path: file_path }],
    run: (input, context) => refusingFileErrors(context.cwd, () => read(input, context, maxTokens * BYTES_PER_TOKEN)),
  });
}

async function read(input: Input, context: ToolContext, maxBytes: number): Promise<ToolResult> {
  const asked = absolutePath(input.file_path, context.cwd);
  const path = await existingPath(asked, context);
  if (path === undefined) return refusal(await missing(asked, context));
  const realPath = await context.files.realPath(path);
  const result = await readKind({ path, realPath, input, maxBytes, context });
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

/** The file itself, or the one whose name looks the same: that one only when the rules let it be read without asking. */
async function existingPath(path: string, { files, readAccess }: ToolContext): Promise<string | undefined> {
  if ((await files.stat(path)) !== undefined) return path;
  const found = await findName(path, files);
  if (found === undefined || readAccess === undefined) return found;
  return (await readAccess.decide(found)) === "allow" ? found : undefined;
}

async function missing(path: string, context: ToolContext): Promise<string> {
  const { cwd, files } = context;
  const target = await files.realPath(path);
  const isLink = target !== join(await files.realPath(dirname(path)), basename(path));
  const what = isLink ? `${path} is a link to ${target}, which does not exist.` : `${path} does not exist.`;
  const meant = await suggestions(path, context);
  const hint = meant.length === 0 ? "" : ` Did you mean ${meant.join(" or ")}?`;
  return `File does not exist. Note: your current working directory is ${cwd}.\n${what}${hint}`;
}

/** Names of files that may be read; also that of the one that looks the same, when the user would be asked about it. */
async function suggestions(path: string, { files, readAccess }: ToolContext): Promise<string[]> {
  const verdictOn = async (candidate: string) => (await readAccess?.decide(candidate)) ?? "allow";
  const same = await findName(path, files);
  if (same !== undefined && same !== path) return (await verdictOn(same)) === "deny" ? [] : [same];
  const readable: string[] = [];
  for (const candidate of await similarPaths(path, files)) {
    // A link that leads nowhere has the very name.
    if (candidate !== path && (await verdictOn(candidate)) === "allow") readable.push(candidate);
  }
  return readable;
}
