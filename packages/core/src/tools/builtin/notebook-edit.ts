import { randomUUID } from "node:crypto";
import { extname } from "node:path";
import { deleteCell, insertCell, replaceCell } from "../../files/edit-notebook.ts";
import { type Notebook, type NotebookCell, parseNotebook } from "../../files/notebook.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { absolutePath, MODIFIED_SINCE_READ, NOT_READ, refusingFileErrors } from "./file-result.ts";
import { missingFile } from "./similar-file.ts";

/** Notebooks hold pictures, so they may be bigger than other files. Bytes. */
const MAX_NOTEBOOK_BYTES = 100 * 1024 * 1024;
/** A longer notebook is left out of the structured result. UTF-16 units. */
const MAX_SHOWN_UNITS = 10 * 1024 * 1024;

const inputSchema = {
  type: "object",
  properties: {
    notebook_path: { type: "string", description: "Absolute path of the .ipynb file." },
    new_source: { type: "string", description: "What the cell shall hold. Not used for delete." },
    cell_id: {
      type: "string",
      description:
        "Id of the cell, as Read shows it. For insert: the cell before the new one; without it the new one is the first.",
    },
    cell_type: {
      type: "string",
      enum: ["code", "markdown"],
      description: "Needed for insert. For replace: the cell's new type.",
    },
    edit_mode: {
      type: "string",
      enum: ["replace", "insert", "delete"],
      default: "replace",
      description: "What to do.",
    },
  },
  required: ["notebook_path", "new_source"],
  additionalProperties: false,
} as const;

type Input = {
  notebook_path: string;
  new_source: string;
  cell_id?: string;
  cell_type?: "code" | "markdown";
  edit_mode?: "replace" | "insert" | "delete";
};

export const notebookEditTool = defineTool({
  name: "NotebookEdit",
  description: `Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb) and leaves all else in the file as it is.

- Read the notebook first: it shows the id of each cell.
- A code cell that is replaced loses its outputs, because they are not of the new source.`,
  inputSchema,
  maxResultChars: 50_000,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  touches: ({ notebook_path }) => [{ type: "write", path: notebook_path }],
  run: (input, context) => refusingFileErrors(context.cwd, () => editNotebook(input, context)),
});

async function editNotebook(input: Input, context: ToolContext): Promise<ToolResult> {
  const path = absolutePath(input.notebook_path, context.cwd);
  if (extname(path).toLowerCase() !== ".ipynb")
    return refusal(`${path} is no Jupyter notebook (.ipynb). Use Edit to change it.`);
  if (!input.new_source.isWellFormed())
    return refusal("new_source holds half of a character (a lone surrogate). Send whole characters.");
  const { files, readState, signal } = context;
  if ((await files.stat(path)) === undefined) return refusal(await missingFile(path, context));
  const file = await files.readText(path, { signal, maxBytes: MAX_NOTEBOOK_BYTES });
  const state = readState.get(await files.realPath(path));
  if (state === undefined) return refusal(NOT_READ);
  if (state.hash !== file.hash) return refusal(MODIFIED_SINCE_READ);

  const notebook = parseNotebook(path, file.text);
  const edited = applyEdit(notebook, input);
  if (typeof edited === "string") return refusal(edited);
  if (edited.text === file.text) return refusal("No changes to make: the cell holds new_source already.");
  const { hasBom, encoding, hash: expectedHash } = file;
  const written = await files.writeText(path, { text: edited.text, hasBom, encoding, expectedHash });
  const { hash, mtimeMs, size } = written;
  readState.set(await files.realPath(path), { hash, mtimeMs, size, isWhole: state.isWhole });
  return {
    content: edited.says,
    structured: structured(path, input, notebook, edited),
  };
}

type Edited = { text: string; says: string; cellId: string; cellType: string };

/** The notebook after the edit, or why it cannot be made. */
function applyEdit(notebook: Notebook, input: Input): Edited | string {
  const { edit_mode: mode = "replace", cell_id: id, new_source: source } = input;
  if (mode === "insert") return inserted(notebook, input);
  if (id === undefined) return `cell_id is needed to ${mode} a cell.`;
  const index = indexOf(notebook, id);
  const cell = notebook.cells[index];
  if (cell === undefined) return notFound(notebook, id);
  if (mode === "delete") {
    return { text: deleteCell(notebook, index), says: `Deleted cell ${id}`, cellId: id, cellType: cell.type };
  }
  const type = input.cell_type ?? cell.type;
  return {
    text: replaceCell(notebook, cell, source, type),
    says: `Updated cell ${id} with ${source}`,
    cellId: id,
    cellType: type,
  };
}

function inserted(notebook: Notebook, { cell_id: after, cell_type: type, new_source: source }: Input): Edited | string {
  if (type === undefined) return "cell_type is needed to insert a cell: code or markdown.";
  const index = after === undefined ? 0 : indexOf(notebook, after) + 1;
  if (after !== undefined && index === 0) return notFound(notebook, after);
  const id = notebook.hasIds ? newId(notebook.cells) : undefined;
  const text = insertCell(notebook, index, { ...(id === undefined ? {} : { id }), type, source });
  const cellId = id ?? `cell-${index}`;
  return { text, says: `Inserted cell ${cellId} with ${source}`, cellId, cellType: type };
}

/** An id of a cell's own first: one may look like a number of another. */
const indexOf = ({ cells }: Notebook, id: string) => cells.findIndex((cell) => cell.id === id);

/** How many ids are named when one is not found. */
const MAX_NAMED_IDS = 50;

function notFound({ cells }: Notebook, id: string): string {
  const ids = cells.slice(0, MAX_NAMED_IDS).map((cell) => cell.id);
  return `Cell with ID "${id}" not found in notebook. Its cells are: ${ids.join(", ")}`;
}

function newId(cells: readonly NotebookCell[]): string {
  const id = randomUUID().slice(0, 8);
  return cells.some((cell) => cell.id === id) ? newId(cells) : id;
}

function structured(
  path: string,
  { new_source, edit_mode = "replace" }: Input,
  notebook: Notebook,
  edited: Edited,
): object {
  const isShown = Math.max(notebook.text.length, edited.text.length) <= MAX_SHOWN_UNITS;
  return {
    new_source,
    cell_id: edited.cellId,
    cell_type: edited.cellType,
    language: notebook.language,
    edit_mode,
    notebook_path: path,
    original_file: isShown ? notebook.text.toWellFormed() : "",
    updated_file: isShown ? edited.text.toWellFormed() : "",
  };
}
