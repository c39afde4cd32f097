import { fitted, printable, type Style } from "./terminal-text.ts";

type ShownResult = { text: string; isError: boolean; structured: unknown };

const marks: Readonly<Record<string, string>> = { completed: "✔", in_progress: "▶", pending: "□" };

/** How much of a result is shown. */
export type Room = { lines: number; columnsPerLine: number };

/** A list that the model keeps for itself and for people is worth more room than a program's output. */
const MAX_TODO_LINES = 20;

/** What a person sees of a tool's result: the to-do list, the changed lines, or the beginning of its text. */
export function resultLines({ text, isError, structured }: ShownResult, room: Room, style: Style): string[] {
  if (isError) return excerpt(linesOf(text), room).map(style.red);
  const fields = recordOf(structured);
  const todos = listOf(fields["newTodos"]).map((todo) => todoText(recordOf(todo)));
  if (todos.length > 0)
    return excerpt(todos, { ...room, lines: Math.max(room.lines, MAX_TODO_LINES) }).map(todoPaint(style));
  const patch = listOf(fields["structuredPatch"]).flatMap((hunk) => listOf(recordOf(hunk)["lines"]));
  if (patch.length > 0) return excerpt(patch.map(String).map(printable), room).map((line) => patchLine(line, style));
  const { numLines } = recordOf(fields["file"]);
  if (typeof numLines === "number") return [style.dim(`${numLines} ${numLines === 1 ? "line" : "lines"}`)];
  return excerpt(linesOf(text), room).map(style.dim);
}

const todoText = ({ status, content }: Record<string, unknown>): string =>
  `${marks[String(status)] ?? "□"} ${printable(String(content))}`;

function todoPaint(style: Style): (line: string) => string {
  return (line) => {
    if (line.startsWith("✔")) return style.dim(line);
    return line.startsWith("▶") ? style.bold(line) : line;
  };
}

function patchLine(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : style.dim(line);
}

const linesOf = (text: string): string[] => printable(text).trimEnd().split("\n");

/** The beginning and the end: of a program's output the end often says most. */
function excerpt(lines: readonly string[], room: Room): string[] {
  const short = (shown: readonly string[]) => shown.map((line) => fitted(line, room.columnsPerLine));
  if (lines.length <= room.lines + 1) return short(lines);
  const fromEnd = Math.floor(room.lines / 2);
  const cut = `… ${lines.length - room.lines} more lines`;
  return [...short(lines.slice(0, room.lines - fromEnd)), cut, ...short(lines.slice(lines.length - fromEnd))];
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
