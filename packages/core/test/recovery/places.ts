import type { Recording } from "../support/recorded-streams.ts";

/** Every place where a stream may be cut, its beginning and its end included. */
export const everyByteOf = ({ body }: Recording): number[] =>
  Array.from({ length: Buffer.byteLength(body) + 1 }, (_, at) => at);

/** The ends of its lines, the byte before and after each, and one inside each line. */
export function everyLineOf({ body }: Recording): number[] {
  const bytes = Buffer.from(body);
  const places = new Set<number>();
  let start = 0;
  for (let end = bytes.indexOf("\n") + 1; end > 0; end = bytes.indexOf("\n", end) + 1) {
    for (const at of [end - 1, end, end + 1, Math.floor((start + end) / 2)]) if (at <= bytes.length) places.add(at);
    start = end;
  }
  return [...places].sort((a, b) => a - b);
}
