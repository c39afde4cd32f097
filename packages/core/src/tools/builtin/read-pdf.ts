import { dirname } from "node:path";
import { cutToBytes } from "../../files/line-range.ts";
import type { BinaryFile } from "../../files/workspace-files.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { type PageRange, pageRange } from "./pdf-pages.ts";
import { type PagePictures, pagePictures } from "./pdf-pictures.ts";
import { type OpenPdf, openPdf } from "./pdf-text.ts";
import {
  isExplicit,
  markRead,
  type ReadRequest,
  shortenable,
  TOO_LONG,
  TOO_LONG_TOGETHER,
  textBlock,
  unchangedResult,
  withNotice,
} from "./read-request.ts";

/** A larger file is not opened. */
const MAX_PDF_FILE_BYTES = 100 * 1024 * 1024;
/** The whole of a larger file is not repeated in the structured result. */
const MAX_REPEATED_BYTES = 4 * 1024 * 1024;

/** Pages of a PDF: the text of each, and its picture where there is a renderer. */
export async function readPdfFile(request: ReadRequest): Promise<ToolResult> {
  const { path, context } = request;
  if (isExplicit(request)) return refusal('Of a PDF give pages, such as "1-5", in the place of offset and limit.');
  const file = await context.files.readBytes(path, { signal: context.signal, maxBytes: MAX_PDF_FILE_BYTES });
  const pdf = await openPdf(file.bytes, context.signal);
  if ("why" in pdf) return refusal(`${path} ${pdf.why}`);
  try {
    const range = pageRange(request.input.pages, pdf.pageCount);
    if (typeof range === "string") return refusal(`${path}: ${range}`);
    return await readPages(request, file, pdf, range);
  } finally {
    await pdf.close();
  }
}

async function readPages(request: ReadRequest, file: BinaryFile, pdf: OpenPdf, range: PageRange): Promise<ToolResult> {
  const { path, realPath, context, maxBytes, maxPartBytes } = request;
  const given = { offset: range.first, limit: range.last - range.first + 1 };
  const unchanged = unchangedResult(request, file, given);
  if (unchanged !== undefined) return unchanged;

  const texts = await titledTexts(pdf, range);
  const all = fittingPages(texts, range, maxBytes);
  const fitting = all.notice === undefined ? all : fittingPages(texts, range, maxPartBytes);
  const textPath = await storePages(request, file, texts);
  const shown = { first: range.first, last: range.first + fitting.texts.length - 1 };
  const pictures = await pagePictures(realPath, shown, textPath, context);

  const isAll = fitting.notice === undefined && given.limit === pdf.pageCount;
  const resultOf = (pages: FittingPages): ToolResult => {
    const structured =
      isAll && file.size <= MAX_REPEATED_BYTES ? whole(path, file) : parts(path, file, shown, textPath);
    const result = { content: pageBlocks(pages.texts, range, pictures), structured };
    return pages.notice === undefined ? result : withNotice(result, pages.notice);
  };
  if (fitting.notice === undefined) markRead(request, file, given, isAll);
  const result = shortenable(resultOf(fitting), (bytes) =>
    resultOf(fittingPages(texts, range, bytes, TOO_LONG_TOGETHER)),
  );
  return pictures.problem === undefined ? result : withNotice(result, pictures.problem);
}

/** The hash keeps documents apart that have the same text, such as none. */
function storePages({ path, context }: ReadRequest, { hash }: BinaryFile, texts: readonly string[]): Promise<string> {
  const text = [`Pages of ${path} (SHA-256 ${hash})`, ...texts].join("\n\n");
  return context.storeOutput(`${context.toolUseId}-pages`, text);
}

type FittingPages = { texts: string[]; notice?: string };

/** As many pages as fit; of a first page that is too long, its beginning. */
function fittingPages(
  texts: readonly string[],
  { first, last }: PageRange,
  maxBytes: number,
  why = TOO_LONG,
): FittingPages {
  let room = maxBytes;
  const end = texts.findIndex((text) => {
    room -= Buffer.byteLength(text);
    return room < 0;
  });
  if (end === -1) return { texts: [...texts] };
  const kept = end === 0 ? [cutToBytes(texts[0] ?? "", maxBytes)] : texts.slice(0, end);
  const shown = end === 0 ? `only the beginning of page ${first}` : `pages ${first} to ${first + end - 1}`;
  const next = end === 0 ? "" : ` Go on with pages "${first + end}-${last}".`;
  return { texts: kept, notice: `PARTIAL view: the text ${why}. Shown: ${shown}.${next}` };
}

async function titledTexts(pdf: OpenPdf, { first, last }: PageRange): Promise<string[]> {
  const texts: string[] = [];
  for (let page = first; page <= last; page++) {
    const text = await pdf.textOf(page);
    texts.push(`[Page ${page} of ${pdf.pageCount}]\n${text || "(no text on this page)"}`);
  }
  return texts;
}

function pageBlocks(texts: readonly string[], { first }: PageRange, { pictures }: PagePictures): ContentBlock[] {
  return texts.flatMap((text, index) => {
    const picture = pictures.get(first + index);
    return [textBlock(text), ...(picture === undefined ? [] : [picture])];
  });
}

const whole = (filePath: string, { bytes, size }: BinaryFile) => ({
  type: "pdf",
  file: { filePath, base64: bytes.toString("base64"), originalSize: size },
});

const parts = (filePath: string, { size }: BinaryFile, { first, last }: PageRange, textPath: string) => ({
  type: "parts",
  file: { filePath, originalSize: size, count: last - first + 1, outputDir: dirname(textPath) },
});
