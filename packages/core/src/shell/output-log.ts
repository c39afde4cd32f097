import { Buffer } from "node:buffer";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../lib/error.ts";

/** A file that takes output as it comes and never grows above its limit: of more, the beginning and the end are kept. */
export type OutputLog = {
  readonly path: string;
  /** Bytes that were given, kept or not. */
  readonly totalBytes: number;
  /** Whether the middle is missing in the file. */
  readonly isCut: boolean;
  /** Why it takes nothing any more, such as a full disk. */
  readonly failure: string | undefined;
  /** What is given is wanted at once (undefined), or when this has resolved: so memory stays bounded. Never rejects. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Resolves when all is written. */
  close(): Promise<void>;
};

/** So much may wait for the disk. Bytes. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** A cut is moved to the end of a line if one is this near. Bytes. */
const NEAR_BYTES = 4_096;
/** What the line that counts what is missing may take. Bytes. */
const MARK_BYTES = 80;
const NEWLINE = 0x0a;

/** Nothing is made before the first byte. A file that is there already is never written to. */
export function createOutputLog(path: string, maxBytes: number): OutputLog {
  let file: FileHandle | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let totalBytes = 0;
  let failure: string | undefined;
  let kept: KeptBytes | undefined;

  async function append(chunk: Buffer): Promise<void> {
    if (failure !== undefined) return;
    try {
      file ??= await newFile(path);
      kept ??= keptBytes(file, maxBytes);
      await kept.append(chunk);
    } catch (error) {
      failure = `The output is not kept any further: ${messageOf(error)}`;
    }
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const chunk = waiting.length === 1 && waiting[0] !== undefined ? waiting[0] : Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      await append(chunk);
    }
    writing = undefined;
  }

  return {
    path,
    get totalBytes() {
      return totalBytes;
    },
    get isCut() {
      return kept?.isCut() ?? false;
    },
    get failure() {
      return failure;
    },
    write(chunk) {
      totalBytes += chunk.length;
      waiting.push(chunk);
      waitingBytes += chunk.length;
      writing ??= writeWaiting();
      return waitingBytes > MAX_WAITING_BYTES ? writing : undefined;
    },
    async close() {
      // A file is there also when nothing was written: its path has been told.
      await writing;
      await append(Buffer.alloc(0));
      await file?.close();
    },
  };
}

async function newFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, "wx+", 0o600);
}

type KeptBytes = { append(chunk: Buffer): Promise<void>; isCut(): boolean };

/**
 * At the limit the middle is taken out of the file, half of it at a time: so a byte is written one and a half times at most,
 * and a program that reads the file it writes to comes to its end.
 */
function keptBytes(file: FileHandle, maxBytes: number): KeptBytes {
  const tailBytes = Math.floor(maxBytes / 4) - MARK_BYTES;
  let headBytes: number | undefined;
  let omitted = 0;
  let markBytes = 0;
  let size = 0;

  async function put(bytes: Buffer): Promise<void> {
    await writeAll(file, bytes, size);
    size += bytes.length;
  }

  async function takeOutMiddle(): Promise<void> {
    headBytes ??= await lineEndBefore(file, Math.floor(maxBytes / 4));
    const tail = fromLineStart(await readAt(file, Math.max(headBytes, size - tailBytes), size));
    omitted += size - headBytes - markBytes - tail.length;
    const mark = Buffer.from(`\n[... ${omitted} bytes left out ...]\n`);
    await file.truncate(headBytes);
    size = headBytes;
    markBytes = mark.length;
    await put(Buffer.concat([mark, tail]));
  }

  return {
    isCut: () => omitted > 0,
    async append(chunk) {
      const step = Math.max(1, Math.floor(maxBytes / 8));
      for (let at = 0; at < chunk.length; at += step) {
        const part = chunk.subarray(at, at + step);
        if (size + part.length > maxBytes) await takeOutMiddle();
        await put(part);
      }
    },
  };
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** The end of the last line before a place, or the place itself. */
async function lineEndBefore(file: FileHandle, at: number): Promise<number> {
  const from = Math.max(0, at - NEAR_BYTES);
  const end = (await readAt(file, from, at)).lastIndexOf(NEWLINE);
  return end < 0 ? at : from + end + 1;
}

function fromLineStart(bytes: Buffer): Buffer {
  const end = bytes.subarray(0, NEAR_BYTES).indexOf(NEWLINE);
  return end < 0 ? bytes : bytes.subarray(end + 1);
}
