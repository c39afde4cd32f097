import { Buffer } from "node:buffer";

/** Turns a stream of terminal output into plain text: no escape sequences, and of a line that redraws itself its last state. */
export type OutputCleaner = {
  write(chunk: Buffer): Buffer;
  /** What a line without an end had been held back. */
  flush(): Buffer;
};

/** Of a line that has not ended so much is held back, so that a redraw can replace it. Bytes. */
const MAX_HELD_BYTES = 65_536;
/** An escape sequence that goes on for longer is none. Bytes. */
const MAX_ESCAPE_BYTES = 4_096;
const ESCAPE = 0x1b;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

const SEQUENCES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[PX^_][^\x1b\n]*\x1b\\|[ -/]*[0-OQ-WYZ\\`-~])/g;
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b\n]*\x1b?|[PX^_][^\x1b\n]*\x1b?|[ -/]*)?$/;
const LONE_ESCAPES = /\x1b/g;
/** To the first column: what spinners send instead of a carriage return. */
const TO_LINE_START = /\x1b\[[01]?G/g;

export function createOutputCleaner(): OutputCleaner {
  /** The line that has not ended, and an escape sequence that has not. */
  let held: Buffer = NOTHING;
  /** The beginning of the line is given out already: a redraw of it begins a new line. */
  let isBegun = false;

  function cleaned(bytes: Buffer): Buffer {
    if (bytes.indexOf(ESCAPE) < 0 && bytes.indexOf(RETURN) < 0) return bytes;
    // One character for each byte: UTF-8 goes through unchanged.
    return Buffer.from(redrawn(withoutSequences(bytes.toString("latin1")), isBegun), "latin1");
  }

  return {
    write(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const lineEnd = bytes.lastIndexOf(NEWLINE) + 1;
      const given: Buffer[] = [];
      if (lineEnd > 0) {
        given.push(cleaned(bytes.subarray(0, lineEnd)));
        isBegun = false;
      }
      held = rest(bytes.subarray(lineEnd));
      if (held.length > MAX_HELD_BYTES) {
        given.push(cleaned(held));
        held = NOTHING;
        isBegun = true;
      }
      return given.length === 1 && given[0] !== undefined ? given[0] : Buffer.concat(given);
    },
    flush() {
      if (held.length === 0) return NOTHING;
      const given = cleaned(held);
      held = held.at(-1) === RETURN ? Buffer.from([RETURN]) : NOTHING;
      isBegun = true;
      return given;
    },
  };
}

/** What is held of an unfinished line: redraws that are over already are not kept. */
function rest(line: Buffer): Buffer {
  const lastDraw = line.length === 0 ? -1 : line.lastIndexOf(RETURN, line.length - 2);
  // A copy: the chunk that it is a part of can be let go.
  return Buffer.from(lastDraw < 0 || isInsideSequence(line, lastDraw) ? line : line.subarray(lastDraw));
}

const isInsideSequence = (line: Buffer, at: number): boolean =>
  line.lastIndexOf(ESCAPE, at) >= 0 && UNFINISHED.test(line.toString("latin1", line.lastIndexOf(ESCAPE, at), at));

function withoutSequences(text: string): string {
  if (!text.includes("\x1b")) return text;
  const plain = text.replace(TO_LINE_START, "\r").replace(SEQUENCES, "");
  const unfinished = UNFINISHED.exec(plain)?.[0] ?? "";
  const kept = unfinished.length <= MAX_ESCAPE_BYTES ? plain.slice(0, plain.length - unfinished.length) : plain;
  return kept.replace(LONE_ESCAPES, "");
}

/** Each line as it stood last. */
function redrawn(text: string, isBegun: boolean): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line, index) => {
      const drawn = line.replace(/\r+$/, "");
      const last = drawn.slice(drawn.lastIndexOf("\r") + 1);
      return index === 0 && isBegun && last !== drawn ? `\n${last}` : last;
    })
    .join("\n");
}
