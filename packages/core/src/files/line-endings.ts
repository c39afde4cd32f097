type LineEnding = "\n" | "\r\n";

/** The text as the model sees it: every CRLF is one LF. A lone CR is an ordinary character. */
export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Where each of `offsets` into `toLf(text)` lies in `text`. They must ascend. */
export function originalOffsets(text: string, offsets: readonly number[]): number[] {
  let hidden = 0;
  let crlf = text.indexOf("\r\n");
  return offsets.map((offset) => {
    while (crlf !== -1 && crlf - hidden < offset) {
      hidden++;
      crlf = text.indexOf("\r\n", crlf + 2);
    }
    return offset + hidden;
  });
}

/** How the line that holds `index` ends; the last line takes after the one before it. */
export function lineEndingAt(text: string, index: number): LineEnding {
  const own = text.indexOf("\n", index);
  const newline = own === -1 ? text.lastIndexOf("\n", index) : own;
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}

/** The one ending of all lines, `mixed`, or undefined for text without any. */
export function lineEndingOf(text: string): LineEnding | "mixed" | undefined {
  const newlines = count(text, "\n");
  if (newlines === 0) return undefined;
  const crlfs = count(text, "\r\n");
  if (crlfs === 0) return "\n";
  return crlfs === newlines ? "\r\n" : "mixed";
}

function count(text: string, ending: LineEnding): number {
  let found = 0;
  for (let at = text.indexOf(ending); at !== -1; at = text.indexOf(ending, at + ending.length)) found++;
  return found;
}
