/** A message with images is long; a longer line is passed over rather than kept in memory. Bytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** In place of a line that was too long. */
export const TOO_LONG = Symbol("too long");

/** Cuts a stream of bytes into lines, without their newlines. A last line needs none. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Uint8Array | typeof TOO_LONG> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array) => {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.push(part);
  };
  const end = () => {
    const line = length > maxLineBytes ? TOO_LONG : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline !== -1; newline = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, newline));
      yield end();
      start = newline + 1;
    }
    take(chunk.subarray(start));
  }
  if (length > 0) yield end();
}
