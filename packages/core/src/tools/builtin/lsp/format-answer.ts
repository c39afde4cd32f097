import { isAbsolute, relative } from "node:path";
import { isRecord } from "../../../messages/api-shape.ts";
import type { ToolContext } from "../../tool.ts";
import { count, type Place, placesIn, symbolKind } from "./locations.ts";
import type { LspOperation } from "./operations.ts";

/** More of them than these teach the model nothing. */
const MAX_ENTRIES = 200;
const MAX_LINE_CHARS = 200;
const MAX_TEXT_CHARS = 10_000;
/** For the lines of results. Files that are read, and bytes of each. */
const MAX_READ_FILES = 50;
const MAX_READ_BYTES = 1024 * 1024;

type Answered = { text: string; resultCount: number; fileCount: number };
type Context = Pick<ToolContext, "cwd" | "files" | "readAccess" | "signal">;

/** An answer of a server as the model reads it: one line each, with places as file:line:column from 1. */
export async function formatAnswer(
  operation: LspOperation,
  answer: unknown,
  path: string,
  context: Context,
): Promise<Answered> {
  switch (operation) {
    case "hover":
      return hover(answer);
    case "diagnostics":
      return diagnosed(answer, path, context);
    case "documentSymbol":
      return symbols(answer, path, context);
    default:
      return places(placesIn(answer), context);
  }
}

const nothing = (what: string): Answered => ({ text: what, resultCount: 0, fileCount: 0 });

function hover(answer: unknown): Answered {
  const text = markup(isRecord(answer) ? answer["contents"] : undefined).trim();
  if (text === "") return nothing("The server says nothing of this position.");
  return { text: bounded(text, MAX_TEXT_CHARS), resultCount: 1, fileCount: 1 };
}

function markup(contents: unknown): string {
  if (typeof contents === "string") return contents;
  if (Array.isArray(contents)) return contents.map(markup).join("\n\n");
  return isRecord(contents) && typeof contents["value"] === "string" ? contents["value"] : "";
}

const severities = ["error", "warning", "information", "hint"];

function diagnosed(answer: unknown, path: string, { cwd }: Context): Answered {
  if (answer === undefined)
    return nothing("The server has not said anything about this file yet. Ask again in a moment.");
  const found = Array.isArray(answer) ? answer.filter(isRecord) : [];
  const lines = found.map((each) => {
    const { severity, message, source, code, range } = each;
    const start = isRecord(range) && isRecord(range["start"]) ? range["start"] : {};
    const at = `${count(start["line"]) + 1}:${count(start["character"]) + 1}`;
    const from = [source, code].filter((part) => typeof part === "string" || typeof part === "number").join(" ");
    const what = `${severities[count(severity) - 1] ?? "error"}${from === "" ? "" : ` [${from}]`}`;
    return `${shownPath(path, cwd)}:${at} ${what}: ${oneLine(message)}`;
  });
  if (lines.length === 0) return nothing("The server finds nothing wrong with this file.");
  return { text: listed(lines), resultCount: lines.length, fileCount: 1 };
}

/** Nested as they are in the file. A server of the older kind gives a flat list of places. */
async function symbols(answer: unknown, path: string, context: Context): Promise<Answered> {
  const all = Array.isArray(answer) ? answer.filter(isRecord) : [];
  if (all.some((symbol) => isRecord(symbol["location"]))) return places(placesIn(all), context);
  const lines = outline(all, 0);
  if (lines.length === 0) return nothing("The file has no symbols.");
  const text = listed([`${shownPath(path, context.cwd)}:`, ...lines], lines.length);
  return { text, resultCount: lines.length, fileCount: 1 };
}

const MAX_DEPTH = 10;

function outline(all: readonly Record<string, unknown>[], depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  return all.flatMap(({ name, kind, range, selectionRange, children }) => {
    const at = isRecord(selectionRange) ? selectionRange : range;
    const start = isRecord(at) && isRecord(at["start"]) ? at["start"] : {};
    const place = `${count(start["line"]) + 1}:${count(start["character"]) + 1}`;
    const inner = Array.isArray(children) ? children.filter(isRecord) : [];
    return [`${"  ".repeat(depth)}${place} ${symbolKind(kind)} ${oneLine(name)}`, ...outline(inner, depth + 1)];
  });
}

/** With the text of the line where the rules let it be read; what they keep from being read is left out. */
async function places(found: readonly Place[], context: Context): Promise<Answered> {
  const shown = found.slice(0, MAX_ENTRIES);
  const paths = [...new Set(shown.flatMap(({ path }) => path ?? []))];
  const verdicts = new Map<string, "allow" | "ask" | "deny">();
  for (const path of paths) verdicts.set(path, (await context.readAccess?.decide(path)) ?? "allow");
  const readable = paths.filter((path) => verdicts.get(path) === "allow").slice(0, MAX_READ_FILES);
  const texts = new Map<string, readonly string[]>();
  for (const path of readable) texts.set(path, await linesOf(path, context));
  const kept = shown.filter(({ path }) => path === undefined || verdicts.get(path) !== "deny");
  const lines = kept.map((place) => placeLine(place, texts.get(place.path ?? ""), context.cwd));
  const hidden = shown.length - kept.length;
  const notes = hidden === 0 ? [] : [`Left out: ${hidden} in files that the rules keep from being read.`];
  if (lines.length === 0) return nothing(["The server finds nothing.", ...notes].join("\n"));
  const fileCount = new Set(kept.map(({ uri }) => uri)).size;
  return { text: [listed(lines, found.length - hidden), ...notes].join("\n"), resultCount: lines.length, fileCount };
}

async function linesOf(path: string, { files, signal }: Context): Promise<readonly string[]> {
  try {
    return (await files.readText(path, { signal, maxBytes: MAX_READ_BYTES })).text.split(/\r\n|\r|\n/);
  } catch (error) {
    if (signal.aborted) throw error;
    return []; // it is gone, large or no text: its place is still one
  }
}

function placeLine({ path, uri, line, character, label }: Place, lines: readonly string[] = [], cwd: string): string {
  const where = `${path === undefined ? uri : shownPath(path, cwd)}:${line + 1}:${character + 1}`;
  const said = oneLine(label ?? "");
  const text = (lines[line] ?? "").trim().slice(0, MAX_LINE_CHARS).toWellFormed();
  return [where, ...(said === "" ? [] : [said]), ...(text === "" ? [] : [`| ${text}`])].join(" ");
}

/** Short below the current directory. */
function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : below;
}

const oneLine = (text: unknown): string =>
  typeof text === "string" ? bounded(text.replace(/\s+/g, " ").trim(), MAX_LINE_CHARS * 5) : "";

const bounded = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text.toWellFormed() : `${text.slice(0, maxChars).toWellFormed()}…`;

function listed(lines: readonly string[], total = lines.length): string {
  const shown = lines.slice(0, MAX_ENTRIES);
  const rest = total - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n");
}
