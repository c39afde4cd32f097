/** OSC, DCS, SOS, PM and APC: up to their end, or to that of the line when they have none. */
const CONTROL_STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?/g;
/** CSI, such as a colour or a move. */
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g;
/** What else begins with an escape. */
const ESCAPE_SEQUENCE = /\x1b[ -/]*[0-~]?/g;

/** Text of a model or a program for a terminal: nothing in it can move the cursor, ring or recolour. */
export function printable(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(CONTROL_STRING, "")
    .replace(CONTROL_SEQUENCE, "")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}

export const oneLine = (text: string): string => printable(text).replace(/\s*[\n\t]\s*/g, " ");

/** The beginning of a line that fits. Everything but ASCII counts as wide, so that no terminal wraps it. */
export function fitted(line: string, columns: number): string {
  let width = 0;
  let fitting = "";
  for (const character of line) {
    width += character > "~" ? 2 : 1;
    if (width > columns - 1) return `${fitting}…`;
    fitting += character;
  }
  return line;
}

const MAX_TAB_COLUMNS = 8;

/** The rows that a text takes; undefined when they depend on how wide a terminal shows its characters. */
export function rowsOf(text: string, columns: number): number | undefined {
  let rows = 0;
  for (const line of text.replace(CONTROL_SEQUENCE, "").split("\n")) {
    const ascii = line.match(/[ -~]/g)?.length ?? 0;
    const tabs = line.match(/\t/g)?.length ?? 0;
    const others = line.length - ascii - tabs;
    const fewest = Math.max(1, Math.ceil(ascii / columns));
    const widest = ascii + MAX_TAB_COLUMNS * tabs + 2 * others;
    // A wide character that does not fit leaves the last column of its row empty.
    const most = Math.max(1, Math.ceil(widest / (widest === ascii ? columns : columns - 1)));
    if (fewest !== most) return undefined;
    rows += fewest;
  }
  return rows;
}

type Paint = (text: string) => string;
export type Style = { dim: Paint; bold: Paint; red: Paint; green: Paint; cyan: Paint };

const plain: Paint = (text) => text;
const sgr =
  (code: number, end: number): Paint =>
  (text) =>
    `\x1b[${code}m${text}\x1b[${end}m`;

export const plainStyle: Style = { dim: plain, bold: plain, red: plain, green: plain, cyan: plain };
const colours: Style = { dim: sgr(2, 22), bold: sgr(1, 22), red: sgr(31, 39), green: sgr(32, 39), cyan: sgr(36, 39) };

/** Colour only where it is shown as colour and nobody has said no. */
export function styleFor(stream: { isTTY?: boolean }): Style {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY && !NO_COLOR && TERM !== "dumb" ? colours : plainStyle;
}
