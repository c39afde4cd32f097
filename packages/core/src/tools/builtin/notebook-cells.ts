import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../../lib/error.ts";
import { isRecord } from "../../messages/api-shape.ts";
import { cutText } from "../result-budget.ts";

/** Of a longer output both ends are kept. Characters. */
const MAX_OUTPUT_CHARS = 10_000;

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

/** The cells of a notebook, or why there are none; `why` goes on from the path of the file. */
export function parseNotebook(text: string): Cell[] | { why: string } {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch (error) {
    return { why: `is no notebook: it is not JSON (${messageOf(error)})` };
  }
  if (isRecord(notebook) && Array.isArray(notebook["worksheets"])) {
    return { why: "is a notebook of nbformat 3. Convert it first: jupyter nbconvert --to notebook" };
  }
  const cells = isRecord(notebook) ? notebook["cells"] : undefined;
  if (!isRecord(notebook) || !Array.isArray(cells)) return { why: "is no notebook: it has no list of cells" };
  const language = languageOf(notebook);
  return cells.map((cell, index) => cellOf(isRecord(cell) ? cell : {}, index, language));
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
    ...(isCode && Array.isArray(outputs) && outputs.length > 0 ? { outputs: outputs.flatMap(outputOf) } : {}),
  };
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
  const redrawn = stripVTControlCharacters(text).split("\n").map(lastDrawn).join("\n");
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
