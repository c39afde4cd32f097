import { PawlError } from "../lib/error.ts";
import { type JsonSpan, jsonSpans } from "./json-spans.ts";

/** A Jupyter notebook as its text, with where its cells lie in it. */
export type Notebook = {
  text: string;
  language: string;
  /** From nbformat 4.5 on every cell has an id. */
  hasIds: boolean;
  cellsFrom: number;
  cellsTo: number;
  cells: readonly NotebookCell[];
};

export type NotebookCell = {
  /** Its own, or `cell-N` with N counted from 0 where cells have none. */
  id: string;
  type: string;
  source: string;
  from: number;
  to: number;
  members: ReadonlyMap<string, JsonSpan>;
};

/** The notebook, its list of cells, and each cell. */
const DEPTH = 3;

/** Throws PawlError `file_notebook` for what is no notebook of nbformat 4. */
export function parseNotebook(path: string, text: string): Notebook {
  const value = parsed(path, text);
  const { nbformat, nbformat_minor: minor, metadata, cells } = fieldsOf(value);
  const root = jsonSpans(text, DEPTH);
  const array = root.type === "object" ? root.members.get("cells") : undefined;
  if (nbformat !== 4)
    throw notebookError(path, `its nbformat is ${JSON.stringify(nbformat)}; only nbformat 4 is edited`);
  if (array?.type !== "array" || !Array.isArray(cells)) throw notebookError(path, "it has no list of cells");
  return {
    text,
    language: languageOf(fieldsOf(metadata)),
    hasIds: typeof minor === "number" && minor >= 5,
    cellsFrom: array.from,
    cellsTo: array.to,
    cells: array.items.map((span, index) => cellOf(path, span, cells[index], index)),
  };
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PawlError("file_notebook", `${path} is no notebook: it is no JSON. Correct it with Bash first.`, {
      cause: error,
    });
  }
}

const notebookError = (path: string, what: string) =>
  new PawlError("file_notebook", `${path} is no notebook that can be edited: ${what}.`);

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function languageOf(metadata: Record<string, unknown>): string {
  const name = fieldsOf(metadata["language_info"])["name"] ?? fieldsOf(metadata["kernelspec"])["language"];
  return typeof name === "string" ? name : "python";
}

function cellOf(path: string, span: JsonSpan, value: unknown, index: number): NotebookCell {
  if (span.type !== "object") throw notebookError(path, `cell ${index} is no object`);
  const { id, cell_type: type, source } = fieldsOf(value);
  return {
    id: typeof id === "string" ? id : `cell-${index}`,
    type: typeof type === "string" ? type : "raw",
    source: Array.isArray(source) ? source.join("") : typeof source === "string" ? source : "",
    from: span.from,
    to: span.to,
    members: span.members,
  };
}
