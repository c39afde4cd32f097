import { cutToBytes } from "../../files/line-range.ts";
import { fitImage } from "../../messages/media/fit-image.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { type Cell, type Output, parseNotebook } from "./notebook-cells.ts";
import { imageBlock } from "./read-image.ts";
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
import { BYTES_PER_TOKEN } from "./read-text.ts";

const MAX_NOTEBOOK_BYTES = 100 * 1024 * 1024;
/** Of one call. More may not fit beside the pictures that a conversation has already. */
const MAX_IMAGES = 20;

/** Cells of a notebook with their outputs. */
export async function readNotebook(request: ReadRequest): Promise<ToolResult> {
  const { path, input, context, maxBytes, maxPartBytes } = request;
  if ((input.pages ?? "") !== "")
    return refusal("`pages` is for PDF files only. For a notebook offset and limit count cells.");
  const { signal } = context;
  const file = await context.files.readText(path, { signal, maxBytes: MAX_NOTEBOOK_BYTES });
  const given = givenOf(request);
  const unchanged = unchangedResult(request, file, given);
  if (unchanged !== undefined) return unchanged;
  const read = await parseNotebook(file.text, { offset: given.offset, limit: given.limit }, signal);
  if ("why" in read) return refusal(`${path} ${read.why}.`);

  const { cells: wanted, count } = read;
  if (wanted.length === 0) return notebookResult(path, [], [], emptyNotice(count, given.offset));
  const isCut = read.isCut || fittingCells(wanted, maxBytes).isCut;
  if (isCut && isExplicit(request)) return refusal(tooLarge(wanted, maxBytes));
  const partOf = async (bytes: number, why = TOO_LONG_TOGETHER) => {
    const { cells: shown } = fittingCells(wanted, bytes);
    return notebookResult(path, shown, await blocksOf(shown, signal), partialView(shown, given.offset, count, why));
  };
  if (isCut) return shortenable(await partOf(maxPartBytes, TOO_LONG), partOf);
  const result = notebookResult(path, wanted, await blocksOf(wanted, signal));
  markRead(request, file, given, wanted.length === count);
  return shortenable(result, partOf);
}

function notebookResult(filePath: string, cells: Cell[], content: ContentBlock[], notice?: string): ToolResult {
  const result = { content, structured: { type: "notebook", file: { filePath, cells } } };
  return notice === undefined ? result : withNotice(result, notice);
}

const emptyNotice = (count: number, offset: number): string =>
  count === 0
    ? "The notebook exists but has no cells."
    : `The notebook has ${count} cells; offset ${offset} is past its end. Nothing was read.`;

const bytesOf = (cell: Cell): number => Buffer.byteLength(textsOf(cell).join(""));

type FittingCells = { cells: Cell[]; isCut: boolean };

/** As many cells as fit; of a first cell that is too long, the beginning of its source. */
function fittingCells(cells: readonly Cell[], maxBytes: number): FittingCells {
  let room = maxBytes;
  const end = cells.findIndex((cell) => {
    room -= bytesOf(cell);
    return room < 0;
  });
  if (end === -1) return { cells: [...cells], isCut: false };
  const [first] = cells;
  if (end > 0 || first === undefined) return { cells: cells.slice(0, end), isCut: true };
  const { outputs: _, ...bare } = first;
  return { cells: [{ ...bare, source: cutToBytes(first.source, maxBytes) }], isCut: true };
}

function partialView(shown: readonly Cell[], offset: number, total: number, why: string): string {
  const last = offset + shown.length - 1;
  const more = last >= total ? "" : ` Go on with offset ${last + 1} and a limit.`;
  return `PARTIAL view: the notebook ${why}. Shown: cells ${offset} to ${last} of ${total}, the last one perhaps in part.${more} This view does not allow Write or NotebookEdit.`;
}

function tooLarge(cells: readonly Cell[], maxBytes: number): string {
  const tokens = Math.ceil(cells.reduce((sum, cell) => sum + bytesOf(cell), 0) / BYTES_PER_TOKEN);
  return `File content (${tokens} tokens) exceeds maximum allowed tokens (${maxBytes / BYTES_PER_TOKEN}). Please use offset and limit to read fewer cells, or Grep to search the file.`;
}

/** Texts of a cell in order: itself, then each output. */
function textsOf(cell: Cell): string[] {
  const { cell_id, cellType, language, source, outputs = [] } = cell;
  const code = language === undefined ? "" : ` language="${language}"`;
  return [`<cell id="${cell_id}" type="${cellType}"${code}>\n${source}\n</cell>`, ...outputs.map(outputText)];
}

const outputText = ({ text = "" }: Output): string => (text === "" ? "" : `<output>\n${text}\n</output>`);

/** Texts and pictures in order; texts that follow each other are one block. */
async function blocksOf(cells: readonly Cell[], signal: AbortSignal): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  let images = 0;
  for (const cell of cells) {
    const [itself = "", ...outputs] = textsOf(cell);
    addText(blocks, itself);
    for (const [index, output] of outputs.entries()) {
      addText(blocks, output);
      const image = cell.outputs?.[index]?.image;
      if (image === undefined) continue;
      const shown = images < MAX_IMAGES ? await imageOf(image, signal) : LEFT_OUT;
      if (typeof shown === "string") addText(blocks, shown);
      else {
        blocks.push(shown);
        images++;
      }
    }
  }
  return blocks;
}

function addText(blocks: ContentBlock[], text: string): void {
  const last = blocks.at(-1);
  if (text === "") return;
  if (last?.type === "text") last.text += `\n${text}`;
  else blocks.push({ type: "text", text });
}

const LEFT_OUT = `[image left out: more than ${MAX_IMAGES} in one read; use offset and limit]`;

async function imageOf({ image_data }: { image_data: string }, signal: AbortSignal): Promise<ContentBlock | string> {
  const fitted = await fitImage(Buffer.from(image_data, "base64"), { signal });
  if (fitted.type === "unusable") return `[image left out: it ${fitted.why}]`;
  return imageBlock(fitted.facts.mediaType, fitted.bytes.toString("base64"));
}
