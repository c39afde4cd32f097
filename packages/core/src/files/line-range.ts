import type { LineRange, LineRequest } from "./workspace-files.ts";

type CollectedLines = Pick<LineRange, "lines" | "isCut" | "rangeLines" | "rangeBytes" | "totalLines">;

/** Takes a text piece by piece and holds only the lines of a range, at most `maxTextBytes` of them. */
export function lineCollector({
  offset,
  limit = Number.POSITIVE_INFINITY,
  maxTextBytes,
}: Omit<LineRequest, "signal" | "maxBytes">) {
  const collected: CollectedLines = { lines: [], isCut: false, rangeLines: 0, rangeBytes: 0, totalLines: 0 };
  let line = "";
  let isEmpty = true;

  /** Part of the line being read; a CR at the end of `text` may belong to a CRLF and is given with what follows it. */
  function hold(text: string): void {
    if (text === "" || !isInRange()) return;
    const room = maxTextBytes - collected.rangeBytes;
    const bytes = Buffer.byteLength(text);
    collected.rangeBytes += bytes;
    if (collected.isCut) return;
    collected.isCut = bytes > room;
    line += collected.isCut ? cutToBytes(text, room) : text;
    if (collected.isCut) collected.lines.push(line);
  }

  function endLine(): void {
    if (isInRange()) {
      collected.isCut ||= collected.rangeBytes > maxTextBytes; // by line endings alone
      if (!collected.isCut) collected.lines.push(line);
      collected.rangeLines++;
      collected.rangeBytes++; // the line ending
    }
    line = "";
    collected.totalLines++;
  }

  const isInRange = () => collected.totalLines + 1 >= offset && collected.totalLines + 1 < offset + limit;

  let carry = "";
  return {
    push(piece: string): void {
      const text = carry + piece;
      if (text === "") return;
      isEmpty = false;
      const end = text.endsWith("\r") ? text.length - 1 : text.length;
      carry = text.slice(end);
      let from = 0;
      for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", from)) {
        hold(text.slice(from, text[newline - 1] === "\r" ? newline - 1 : newline));
        endLine();
        from = newline + 1;
      }
      hold(text.slice(from, end));
    },
    end(): CollectedLines {
      hold(carry);
      if (!isEmpty) endLine();
      return collected;
    },
  };
}

/** The beginning of `text` that has at most `maxBytes` in UTF-8; a character is kept whole or left out. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString("utf8", 0, end);
}

/** Whether the byte goes on with a character that began before it. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
