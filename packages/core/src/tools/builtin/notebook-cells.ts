import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../../lib/error.ts";
import { startThread, type ThreadFailure } from "../../lib/thread.ts";
import { isRecord } from "../../messages/api-shape.ts";
import { cutText } from "../result-budget.ts";

/** Of a longer output both ends are kept. Characters. */
const MAX_OUTPUT_CHARS = 10_000;
/** So much of each end is looked at: most of an output can be what was drawn over. Characters. */
const MAX_SEEN_CHARS = 200_000;
/** Outputs of one cell that are given; more are counted. */
const MAX_OUTPUTS = 1_000;

/** One cell in the form of the tool's public result. */
export type Cell = {
  cellType: string;
  source: string;
  cell_id: string;
  language?: string;
  execution_count?: number;
  outputs?: Output[];
};
export type Output = { output_type: string; text?: string; image?: { image_data: string; media_type: string } };

/** Larger ones are read in a thread of their own. UTF-16 units. */
const MAX_HERE_UNITS = 4 * 1024 * 1024;
const MAX_PARSE_MS = 30_000;
/** What one read takes over from a large notebook, beyond its first cell. Bytes. */
const MAX_TAKEN_BYTES = 16 * 1024 * 1024;

/** `offset` and `limit` count cells, from 1. */
type CellRange = { offset: number; limit?: number | undefined };
/** Of the cells that were asked for, the first ones may be all that is given: `isCut`. */
type ReadCells = { cells: Cell[]; count: number; isCut: boolean };

/** Cells of a notebook, or why there are none; `why` goes on from the path of the file. Rejects with PawlError `aborted` alone. */
export async function parseNotebook(
  text: string,
  range: CellRange,
  signal: AbortSignal,
): Promise<ReadCells | { why: string }> {
  const notebook = text.length <= MAX_HERE_UNITS ? rawHere(text, range) : await rawInThread(text, range, signal);
  if ("failure" in notebook) return { why: `is no notebook: ${notebook.failure.message}` };
  const { isNbformat3, metadata, cells, count, isCut } = notebook;
  if (isNbformat3) return { why: "is a notebook of nbformat 3. Convert it first: jupyter nbconvert --to notebook" };
  if (cells === undefined) return { why: "is no notebook: it has no list of cells" };
  const language = languageOf({ metadata });
  const read = cells.map((cell, index) => cellOf(isRecord(cell) ? cell : {}, range.offset - 1 + index, language));
  return { cells: read, count, isCut };
}

/** What `notebook-worker.mjs` gives. */
type RawNotebook = {
  isNbformat3: boolean;
  metadata: unknown;
  cells: readonly unknown[] | undefined;
  count: number;
  isCut: boolean;
};
type Question = { text: string; offset: number; limit: number; maxBytes: number };
const READER = new URL("./notebook-worker.mjs", import.meta.url);

async function rawInThread(text: string, { offset, limit = Number.MAX_SAFE_INTEGER }: CellRange, signal: AbortSignal) {
  const bounds = { maxMs: MAX_PARSE_MS, signal, what: "Reading a notebook" };
  const thread = startThread<Question, RawNotebook>(READER, bounds);
  try {
    return await thread.ask({ text, offset, limit, maxBytes: MAX_TAKEN_BYTES });
  } finally {
    await thread.close();
  }
}

function rawHere(text: string, { offset, limit }: CellRange): RawNotebook | ThreadFailure {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch (error) {
    return { failure: { name: "SyntaxError", message: `it is not JSON (${messageOf(error)})` } };
  }
  const { metadata, cells, worksheets }: Record<string, unknown> = isRecord(notebook) ? notebook : {};
  const all = Array.isArray(cells) ? cells : undefined;
  return {
    ...{ isNbformat3: Array.isArray(worksheets), metadata, count: all?.length ?? 0, isCut: false },
    cells: all?.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit),
  };
}

function languageOf({ metadata }: Record<string, unknown>): string {
  const info = isRecord(metadata) ? metadata["language_info"] : undefined;
  return isRecord(info) && typeof info["name"] === "string" ? info["name"] : "python";
}

/** Cells before nbformat 4.5 have no id: they are named by their place. */
function cellOf(raw: Record<string, unknown>, index: number, language: string): Cell {
  const { cell_type, id, source, execution_count, outputs } = raw;
  const cellType = typeof cell_type === "string" ? cell_type : "raw";
  const isCode = cellType === "code";
  return {
    cellType,
    source: joined(source),
    cell_id: typeof id === "string" ? id : `cell-${index}`,
    ...(isCode ? { language } : {}),
    ...(typeof execution_count === "number" ? { execution_count } : {}),
    ...(isCode && Array.isArray(outputs) && outputs.length > 0 ? { outputs: outputsOf(outputs) } : {}),
  };
}

function outputsOf(raw: readonly unknown[]): Output[] {
  const left = raw.length - MAX_OUTPUTS;
  const rest = left > 0 ? [{ output_type: "stream", text: `[${left} more outputs are left out]` }] : [];
  return [...raw.slice(0, MAX_OUTPUTS).flatMap(outputOf), ...rest];
}

function outputOf(raw: unknown): Output[] {
  if (!isRecord(raw)) return [];
  const { output_type, text, data, ename, evalue, traceback } = raw;
  switch (output_type) {
    case "stream":
      return [{ output_type, text: plain(joined(text)) }];
    case "error":
      return [{ output_type, text: plain(`${joined(ename)}: ${joined(evalue)}\n${lines(traceback).join("\n")}`) }];
    case "execute_result":
    case "display_data":
      return [dataOutput(output_type, isRecord(data) ? data : {})];
    default:
      return [];
  }
}

/** Of the forms in which a result is stored, the picture and the plain text. */
function dataOutput(output_type: string, data: Record<string, unknown>): Output {
  const media_type = ["image/png", "image/jpeg", "image/gif", "image/webp"].find((type) => type in data);
  const text = joined(data["text/plain"] ?? data["text/markdown"] ?? data["text/html"] ?? data["application/json"]);
  return {
    output_type,
    ...(text === "" ? {} : { text: plain(text) }),
    ...(media_type === undefined
      ? {}
      : { image: { image_data: joined(data[media_type]).replace(/\s/g, ""), media_type } }),
  };
}

/** Without escapes and what a redrawn line overwrote. */
function plain(text: string): string {
  const half = MAX_OUTPUT_CHARS / 2;
  const seen = cutText(text, 2 * MAX_SEEN_CHARS, { head: MAX_SEEN_CHARS, tail: MAX_SEEN_CHARS });
  const redrawn = stripVTControlCharacters(seen).split("\n").map(lastDrawn).join("\n");
  return cutText(redrawn, MAX_OUTPUT_CHARS, { head: half, tail: half });
}

function lastDrawn(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** Texts in a notebook are strings or lists of lines that hold their endings. */
function joined(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return lines(value).join("");
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

const lines = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((line) => typeof line === "string") : [];
