import type { Buffer } from "node:buffer";
import type { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { within } from "../lib/within.ts";
import { createOutputCleaner, type OutputCleaner } from "./clean-output.ts";
import { createOutputCapture, type OutputCapture } from "./output-capture.ts";
import type { OutputLog } from "./output-log.ts";

const MAX_PATH_BYTES = 4_096;
/** A line that has not ended, such as a question, is shown in the log after this time. Milliseconds. */
const SHOW_LINE_AFTER_MS = 1_000;
/** What the log is waited for at the end. Milliseconds. */
const CLOSE_BOUND_MS = 2_000;

type ChildOutputOptions = {
  maxOutputBytes: number;
  keep: "ends" | "head";
  /** Whether escape sequences and redraws are taken out. */
  isPlain: boolean;
  /** Makes the file that takes all output once it is more than `maxOutputBytes`. */
  newLog?: () => OutputLog;
  /** What came of stdout, as it comes. */
  onStdout?: ((text: Buffer) => void) | undefined;
  /** Called with each chunk: all that came so far. */
  onTotal(totalBytes: number): void;
};

/** What a child writes: bounded in memory, and whole (up to the file's limit) in a log when there is one. */
export type ChildOutput = {
  /** Bytes that came so far, as they were written. */
  readonly totalBytes: number;
  /** All that came, and what will come, goes to the log. */
  startLog(log: OutputLog): void;
  /** Writes what was held back. Afterwards nothing more is taken. */
  end(): Promise<EndedOutput>;
};

export type EndedOutput = { stdout: Captured; stderr: Captured; cwd: string; log?: OutputLog };
type Captured = { text: string; omittedBytes: number };

type Stream = { capture: OutputCapture; cleaner: OutputCleaner | undefined };

export function readChildOutput(child: ChildProcess, options: ChildOutputOptions): ChildOutput {
  const { maxOutputBytes, keep, isPlain, newLog, onStdout, onTotal } = options;
  const newStream = (): Stream => ({
    capture: createOutputCapture(maxOutputBytes, keep),
    cleaner: isPlain ? createOutputCleaner() : undefined,
  });
  const stdout = newStream();
  const stderr = newStream();
  const cwd = createOutputCapture(MAX_PATH_BYTES, "head");
  let log: OutputLog | undefined;
  let totalBytes = 0;
  let showLine: NodeJS.Timeout | undefined;

  function startLog(started: OutputLog): void {
    if (log !== undefined) return;
    log = started;
    for (const { capture } of [stdout, stderr]) if (capture.totalBytes > 0) log.write(capture.bytes());
    showUnfinishedLines();
  }

  function take(stream: Stream, bytes: Buffer): Promise<void> | undefined {
    if (bytes.length === 0) return undefined;
    const isTooMuch = stream.capture.totalBytes + bytes.length > maxOutputBytes;
    if (isTooMuch && log === undefined && newLog !== undefined) startLog(newLog());
    stream.capture.write(bytes);
    if (stream === stdout) onStdout?.(bytes);
    return log?.write(bytes);
  }

  function showUnfinishedLines(): void {
    clearTimeout(showLine);
    showLine = setTimeout(() => {
      for (const stream of [stdout, stderr]) if (stream.cleaner) take(stream, stream.cleaner.flush());
    }, SHOW_LINE_AFTER_MS);
    showLine.unref();
  }

  function read(source: unknown, stream: Stream): void {
    if (!(source instanceof Readable)) return;
    source.on("data", (chunk: Buffer) => {
      totalBytes += chunk.length;
      const written = take(stream, stream.cleaner?.write(chunk) ?? chunk);
      if (log !== undefined) showUnfinishedLines();
      onTotal(totalBytes);
      if (written === undefined) return;
      // The disk sets the pace, so that memory does not.
      source.pause();
      void written.then(() => source.resume());
    });
    // What came until then counts; the stream closes itself after an error.
    source.on("error", () => {});
  }

  read(child.stdout, stdout);
  read(child.stderr, stderr);
  const places = child.stdio[3];
  if (places instanceof Readable) places.on("data", (chunk: Buffer) => cwd.write(chunk)).on("error", () => {});

  return {
    get totalBytes() {
      return totalBytes;
    },
    startLog,
    async end() {
      clearTimeout(showLine);
      for (const stream of [stdout, stderr]) if (stream.cleaner) take(stream, stream.cleaner.flush());
      if (log !== undefined) await within(log.close(), CLOSE_BOUND_MS);
      return {
        stdout: stdout.capture.end(),
        stderr: stderr.capture.end(),
        cwd: cwd.end().text.replace(/\n$/, ""),
        ...(log === undefined ? {} : { log }),
      };
    },
  };
}
