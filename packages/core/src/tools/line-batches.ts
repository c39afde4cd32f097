import { StringDecoder } from "node:string_decoder";

/** Lines that come within this time are given together. Milliseconds. */
const BATCH_MS = 500;
/** A batch is not given sooner after the one before. Milliseconds. */
const MIN_GAP_MS = 2_000;
/** Of a batch so many lines are given, and of each so many characters. */
const MAX_LINES = 40;
const MAX_LINE_CHARS = 500;
/** So many batches running that had to leave lines out are a flood. */
const MAX_CUT_BATCHES = 10;

export type LineBatches = {
  write(text: Buffer): void;
  /** Gives what is left, also a line without an end. */
  end(): void;
};

/** Gives the lines of a stream in batches that somebody can read; `flooded` when they go on to be far too many. */
export function lineBatches(to: { give(lines: string, summary: string): void; flooded(): void }): LineBatches {
  const decoder = new StringDecoder("utf8");
  let unfinished = "";
  let lines: string[] = [];
  let omitted = 0;
  let cutBatches = 0;
  let lastGivenMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function take(line: string): void {
    if (line.trim() === "") return;
    if (lines.length >= MAX_LINES) omitted += 1;
    else lines.push(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line);
  }

  function give(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const count = lines.length + omitted;
    const summary = `${count} ${count === 1 ? "line" : "lines"}${omitted > 0 ? `, of which ${omitted} are left out` : ""}`;
    const isFlood = omitted > 0 && ++cutBatches >= MAX_CUT_BATCHES;
    if (omitted === 0) cutBatches = 0;
    to.give(lines.join("\n"), isFlood ? `${summary}; it writes far too much and was ended` : summary);
    lines = [];
    omitted = 0;
    lastGivenMs = performance.now();
    if (isFlood) to.flooded();
  }

  return {
    write(text) {
      const parts = (unfinished + decoder.write(text)).split("\n");
      unfinished = (parts.pop() ?? "").slice(0, MAX_LINE_CHARS + 1);
      for (const line of parts) take(line);
      if (lines.length === 0) return;
      timer ??= setTimeout(give, Math.max(BATCH_MS, lastGivenMs + MIN_GAP_MS - performance.now()));
    },
    end() {
      take(unfinished + decoder.end());
      unfinished = "";
      give();
    },
  };
}
