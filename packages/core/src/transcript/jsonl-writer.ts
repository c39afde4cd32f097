import { join } from "node:path";
import { messageOf, PawlError, systemCode } from "../lib/error.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { type Envelope, toLines } from "./line.ts";
import { lockSession, type SessionLock } from "./lock.ts";
import { modifiedMs } from "./modified.ts";
import { storeIn } from "./output-folder.ts";
import { sessionFolder } from "./paths.ts";
import { claimFolder, type SessionPlace } from "./project-folder.ts";
import type { TranscriptStore } from "./store.ts";

/** Lines that wait are written together, up to this much at a time. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** A disk that is this far behind has stopped: the session fails rather than fill the memory. */
const MAX_QUEUED_BYTES = 512 * 1024 * 1024;

export type TranscriptOptions = {
  place: SessionPlace;
  /** Stands on every line. Absolute. */
  cwd: string;
  /** Of this program; stands on every line. */
  version: string;
  /** Who embeds: `cli`, `sdk-ts`, …; stands on every line. */
  entrypoint: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Whether an append waits for the disk (`fdatasync`): then a power cut loses nothing acknowledged either. Slow. */
  durable?: boolean;
  /** Of a session that goes on: what its transcript said. */
  lastFence?: number;
};

/**
 * Opens a session's transcript for writing, a new one or one that goes on. Nothing is made on disk before the first
 * append; a session that is there already is locked at once.
 *
 * An append resolves when its lines, and all before them, are with the operating system: killing this process loses none
 * of them, a power cut may. After a write has failed nothing more is written, and every append says why.
 *
 * @throws PawlError `session_in_use`, `transcript_write`.
 */
export async function openTranscript(options: TranscriptOptions): Promise<TranscriptStore> {
  const writer = new TranscriptWriter(options);
  if ((await modifiedMs(options.place.file)) !== undefined) await writer.open();
  return writer;
}

type Waiting = { bytes: Buffer; resolve: () => void; reject: (error: PawlError) => void };

class TranscriptWriter implements TranscriptStore {
  readonly sessionId: string;
  readonly #options: TranscriptOptions;
  #place: SessionPlace;
  #file: AppendFile | undefined;
  #lock: SessionLock | undefined;
  #hasLease = false;
  #waiting: Waiting[] = [];
  #queuedBytes = 0;
  #draining: Promise<void> | undefined;
  #failure: PawlError | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: TranscriptOptions) {
    this.sessionId = options.place.sessionId;
    this.#options = options;
    this.#place = options.place;
  }

  get path(): string {
    return this.#place.file;
  }

  append(...[entry]: Parameters<TranscriptStore["append"]>): Promise<void> {
    if (this.#closing !== undefined) return Promise.reject(this.#error("the session is closed"));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    let bytes: Buffer;
    try {
      bytes = encode(toLines(entry, this.#envelope()));
    } catch (error) {
      return Promise.reject(
        this.#fail(`an entry "${entry.type}" cannot be written as JSON: ${messageOf(error)}`, error),
      );
    }
    if (this.#queuedBytes + bytes.length > MAX_QUEUED_BYTES) {
      return Promise.reject(this.#fail(`${this.#queuedBytes} bytes wait to be written: the disk does not take them`));
    }
    this.#queuedBytes += bytes.length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  storeOutput(name: string, text: string): Promise<string> {
    return storeIn(join(sessionFolder(this.path), "tool-results"), name, text);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async open(): Promise<void> {
    try {
      this.#place = await claimFolder(this.#place);
      this.#lock ??= await lockSession(this.#place.file);
      this.#file ??= await openAppendFile(this.#place.file, this.#options.durable === true);
    } catch (error) {
      await this.#lock?.release();
      this.#lock = undefined;
      throw error instanceof PawlError ? error : this.#error(messageOf(error), error);
    }
  }

  async #close(): Promise<void> {
    await this.#draining;
    try {
      await this.#file?.close();
    } finally {
      await this.#lock?.release();
    }
  }

  /** Never rejects: each waiting append is told. */
  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#write(batch);
      } catch (error) {
        const failure = this.#fail(messageOf(error), error);
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(failure);
      }
      for (const { bytes } of batch) this.#queuedBytes -= bytes.length;
    }
    this.#draining = undefined;
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes.length;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  /** Resolves the appends whose lines were written; throws for the rest, which `batch` then holds alone. */
  async #write(batch: Waiting[]): Promise<void> {
    if (this.#file === undefined) await this.open();
    if (this.#file === undefined || this.#lock === undefined) throw this.#error("is not open");
    if (this.#lock.isLost()) throw this.#error("its lock was removed: another process may write to this session");
    const lease = this.#hasLease ? Buffer.alloc(0) : this.#lease(this.#lock);
    const { written, error } = await this.#file.append(Buffer.concat([lease, ...batch.map(({ bytes }) => bytes)]));
    this.#hasLease = true;
    let end = lease.length;
    while (batch[0] !== undefined && end + batch[0].bytes.length <= written) {
      end += batch[0].bytes.length;
      this.#queuedBytes -= batch[0].bytes.length;
      batch.shift()?.resolve();
    }
    if (error !== undefined) throw error;
  }

  #lease(lock: SessionLock): Buffer {
    const { pid, host } = lock.owner;
    const { sessionId, timestamp } = this.#envelope();
    const fence = (this.#options.lastFence ?? 0) + 1;
    return encode([{ type: "pawl", kind: "lease", sessionId, timestamp, fence, pid, host }]);
  }

  #envelope(): Envelope {
    const { cwd, version, entrypoint, now } = this.#options;
    return { sessionId: this.sessionId, cwd, version, entrypoint, timestamp: new Date(now()).toISOString() };
  }

  #fail(what: string, cause?: unknown): PawlError {
    this.#failure ??= cause instanceof PawlError ? cause : this.#error(what, cause);
    return this.#failure;
  }

  #error(what: string, cause?: unknown): PawlError {
    const advice = adviceFor(cause);
    return new PawlError(
      "transcript_write",
      `${this.path}: cannot write the session: ${what}${advice === undefined ? "" : `; ${advice}`}`,
      { cause },
    );
  }
}

const encode = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

function adviceFor(cause: unknown): string | undefined {
  switch (systemCode(cause)) {
    case "ENOSPC":
    case "EDQUOT":
      return "make room on that disk";
    case "EROFS":
    case "EACCES":
    case "EPERM":
    case "ENOTDIR":
      return "make the folder writable, or set PAWL_CONFIG_DIR to one that is, or use --no-session-persistence";
    default:
      return undefined;
  }
}
