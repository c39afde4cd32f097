import { lineEndingOf } from "./line-endings.ts";
import type { Notebook, NotebookCell } from "./notebook.ts";

type CellType = "code" | "markdown";

/** The text of the notebook with the cell's source replaced; of a code cell the outputs go, because they are not of this source. */
export function replaceCell({ text }: Notebook, cell: NotebookCell, source: string, type: string): string {
  const style = styleOf(text);
  if (type !== cell.type) return splice(text, [{ ...cell, value: retyped(text, cell, source, type, style) }]);
  const changes: Change[] = [];
  const put = (name: string, value: unknown) => {
    const span = cell.members.get(name);
    if (span !== undefined) changes.push({ from: span.from, to: span.to, value: json(value, style, CELL_DEPTH + 1) });
  };
  put("source", cell.members.get("source")?.type === "string" ? source : sourceLines(source));
  if (type === "code") put("outputs", []);
  if (type === "code") put("execution_count", null);
  return splice(text, changes);
}

/** The text with a new cell at `index` of the list. `id`: only where cells have one. */
export function insertCell(
  { text, cells, cellsFrom, cellsTo }: Notebook,
  index: number,
  cell: { id?: string; type: CellType; source: string },
): string {
  const style = styleOf(text);
  const value = json(newCell(cell), style, CELL_DEPTH);
  const line = style.newline + style.indent.repeat(CELL_DEPTH);
  const before = cells[index - 1];
  if (before !== undefined) return splice(text, [{ from: before.to, to: before.to, value: `,${line || " "}${value}` }]);
  const first = cells[0];
  if (first !== undefined)
    return splice(text, [{ from: first.from, to: first.from, value: `${value},${line || " "}` }]);
  const end = style.newline + style.indent;
  return splice(text, [{ from: cellsFrom, to: cellsTo, value: `[${line}${value}${end}]` }]);
}

/** The text without one cell and the comma that belongs to it. */
export function deleteCell({ text, cells, cellsFrom, cellsTo }: Notebook, index: number): string {
  const [before, cell, after] = [cells[index - 1], cells[index], cells[index + 1]];
  if (cell === undefined) return text;
  if (after !== undefined) return splice(text, [{ from: cell.from, to: after.from, value: "" }]);
  if (before !== undefined) return splice(text, [{ from: before.to, to: cell.to, value: "" }]);
  return splice(text, [{ from: cellsFrom, to: cellsTo, value: "[]" }]);
}

/** A cell is an element of an array in an object. */
const CELL_DEPTH = 2;

type Style = { newline: string; indent: string };

/** How the file breaks and indents its lines: not at all when it is one line. */
function styleOf(text: string): Style {
  const indent = /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1];
  if (indent === undefined) return { newline: "", indent: "" };
  return { newline: lineEndingOf(text) === "\r\n" ? "\r\n" : "\n", indent };
}

function json(value: unknown, { newline, indent }: Style, depth: number): string {
  if (newline === "") return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll("\n", newline + indent.repeat(depth));
}

type Change = { from: number; to: number; value: string };

function splice(text: string, changes: readonly Change[]): string {
  let result = "";
  let done = 0;
  for (const { from, to, value } of changes.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(done, from) + value;
    done = to;
  }
  return result + text.slice(done);
}

/** Each line keeps its ending, as Jupyter writes it. */
const sourceLines = (source: string) => source.match(/[^\n]*\n|[^\n]+/g) ?? [];

function newCell({ id, type, source }: { id?: string; type: CellType; source: string }): object {
  return {
    cell_type: type,
    ...(type === "code" ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(type === "code" ? { outputs: [] } : {}),
    source: sourceLines(source),
  };
}

/** A cell of another type has other fields; those that both have, and unknown ones, are kept. */
function retyped(text: string, cell: NotebookCell, source: string, type: string, style: Style): string {
  const {
    outputs: _,
    execution_count: __,
    ...kept
  }: Record<string, unknown> = JSON.parse(text.slice(cell.from, cell.to));
  const fields = { ...kept, cell_type: type, source: sourceLines(source) };
  return json(type === "code" ? { ...fields, execution_count: null, outputs: [] } : fields, style, CELL_DEPTH);
}
