import { Buffer } from "node:buffer";

/** Keeps a bounded part of a stream of bytes, in memory that does not grow with the stream. */
export type OutputCapture = {
  write(chunk: Buffer): void;
  readonly totalBytes: number;
  /** What is kept, as long as nothing had to be left out: all of it. */
  bytes(): Buffer;
  end(): { text: string; omittedBytes: number };
};

const FIRST_ALLOCATION_BYTES = 4_096;
/** Of a UTF-8 character after its first byte. */
const MAX_CONTINUATION_BYTES = 3;

/** `ends`: half for the head, half for the tail; the text then has a line between them that counts what is missing. */
export function createOutputCapture(maxBytes: number, keep: "ends" | "head"): OutputCapture {
  const tailBytes = keep === "ends" ? Math.floor(maxBytes / 2) : 0;
  const head = growingBuffer(maxBytes - tailBytes);
  const tail = ringBuffer(tailBytes);
  let totalBytes = 0;
  return {
    write(chunk) {
      totalBytes += chunk.length;
      const rest = head.append(chunk);
      if (rest.length > 0) tail.append(rest);
    },
    get totalBytes() {
      return totalBytes;
    },
    bytes: () => Buffer.concat([head.bytes(), tail.bytes()]),
    end() {
      const first = head.bytes();
      const last = tail.bytes();
      if (first.length + last.length === totalBytes) {
        const whole = last.length === 0 ? first : Buffer.concat([first, last]);
        return { text: whole.toString("utf8"), omittedBytes: 0 };
      }
      const start = withoutCutEnd(first);
      const end = withoutCutStart(last);
      const omittedBytes = totalBytes - start.length - end.length;
      const middle = keep === "ends" ? `\n[... ${omittedBytes} bytes left out ...]\n` : "";
      return { text: start.toString("utf8") + middle + end.toString("utf8"), omittedBytes };
    },
  };
}

function growingBuffer(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return {
    /** Takes what fits and gives back the rest. */
    append(chunk: Buffer): Buffer {
      const taken = Math.min(chunk.length, maxBytes - used);
      if (used + taken > buffer.length) {
        const size = Math.min(maxBytes, Math.max(FIRST_ALLOCATION_BYTES, buffer.length * 2, used + taken));
        const larger = Buffer.allocUnsafe(size);
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
      }
      chunk.copy(buffer, used, 0, taken);
      used += taken;
      return chunk.subarray(taken);
    },
    bytes: () => buffer.subarray(0, used),
  };
}

/** Holds the last `size` bytes; the memory is taken at the first one. */
function ringBuffer(size: number) {
  let ring: Buffer | undefined;
  let written = 0;
  return {
    append(chunk: Buffer): void {
      ring ??= Buffer.allocUnsafe(size);
      const kept = chunk.subarray(Math.max(0, chunk.length - size));
      const at = size === 0 ? 0 : (written + chunk.length - kept.length) % size;
      const untilEnd = Math.min(kept.length, size - at);
      kept.copy(ring, at, 0, untilEnd);
      kept.copy(ring, 0, untilEnd);
      written += chunk.length;
    },
    bytes(): Buffer {
      if (ring === undefined) return Buffer.alloc(0);
      if (written <= size) return ring.subarray(0, written);
      const oldest = written % size;
      return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
    },
  };
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** The bytes a UTF-8 character has by its first byte; 1 for a byte that starts none. */
function characterBytes(first: number): number {
  if (first >= 0b1111_0000) return 4;
  if (first >= 0b1110_0000) return 3;
  return first >= 0b1100_0000 ? 2 : 1;
}

/** Without a last character of which bytes are missing. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start <= MAX_CONTINUATION_BYTES && isContinuation(bytes[start])) start -= 1;
  const first = bytes[start];
  if (first === undefined || start + characterBytes(first) <= bytes.length) return bytes;
  return bytes.subarray(0, start);
}

/** Without the rest of a character whose first byte is missing. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < MAX_CONTINUATION_BYTES && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
