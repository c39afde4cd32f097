/** What a terminal would obey, or the eye would not see: controls, marks of direction, characters without width, odd blanks. */
const UNSEEN = /[\p{Cc}\p{Zs}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u3164]/gu;

/** Text as it is, with everything unseen written out as `\u{202E}`: what is agreed to is what stands there. */
export function withUnseenShown(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === " ") return " ";
    if (character === "\t") return "\\t";
    if (character === "\r") return "\\r";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
  });
}

/** Its lines, each with everything unseen written out. */
export const shownLines = (text: string): string[] => text.split("\n").map(withUnseenShown);

/** The same as one text: what a file, a model or a program says of itself, on its way to somebody's terminal. */
export const safeText = (text: string): string => shownLines(text).join("\n");

const columnsOf = (character: string): number => (character > "~" ? 2 : 1);

/** A line in rows of at most so many columns. Everything but ASCII counts as wide, so that no terminal wraps it again. */
export function rowsIn(line: string, columns: number): string[] {
  return rowsBrokenAt(line, columns, (row) => row.length);
}

/** The same, broken behind a blank where one is not too far back. Put together the rows are the line. */
export function wordRowsIn(line: string, columns: number): string[] {
  return rowsBrokenAt(line, columns, (row) => {
    const behindBlank = row.lastIndexOf(" ") + 1;
    return behindBlank > row.length / 2 ? behindBlank : row.length;
  });
}

function rowsBrokenAt(line: string, columns: number, breakIn: (row: string) => number): string[] {
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of line) {
    if (width + columnsOf(character) > columns && row !== "") {
      const end = breakIn(row);
      rows.push(row.slice(0, end));
      row = row.slice(end);
      width = Array.from(row).reduce((sum, each) => sum + columnsOf(each), 0);
    }
    row += character;
    width += columnsOf(character);
  }
  return [...rows, row];
}

/** Rows at the end of a folded text: what a command ends with says as much as how it begins. */
const LAST_ROWS = 4;

/** The rows with the middle left out where there are more than `max`, and how many those are. */
export function folded(rows: readonly string[], max: number): { rows: readonly string[]; hidden: number } {
  if (rows.length <= max) return { rows, hidden: 0 };
  const last = Math.min(LAST_ROWS, Math.floor(max / 2));
  const first = Math.max(1, max - last - 1);
  const hidden = rows.length - first - last;
  return { rows: [...rows.slice(0, first), `… ${hidden} more rows …`, ...rows.slice(rows.length - last)], hidden };
}
