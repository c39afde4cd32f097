import type { Readable } from "node:stream";
import { AbstractMessageReader, type DataCallback, Disposable, type Message } from "vscode-jsonrpc/node.js";
import { isRecord } from "../../../messages/api-shape.ts";

/** One message of a server may be this long. Bytes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 8 * 1024;
const HEADER_END = "\r\n\r\n";

/** Messages behind `Content-Length` headers. What is no such message, or longer than allowed, is an error and ends the reading. */
export class BoundedMessageReader extends AbstractMessageReader {
  readonly #stream: Readable;
  /** What has come of the next header or message. */
  #chunks: Buffer[] = [];
  #length = 0;
  /** The message's length once its header has come. */
  #wanted: number | undefined;
  #hasFailed = false;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer) => this.#take(chunk, callback);
    this.#stream.on("data", onData);
    this.#stream.on("error", (error: Error) => this.#fail(error.message));
    this.#stream.on("close", () => this.fireClose());
    return Disposable.create(() => this.#stream.off("data", onData));
  }

  #take(chunk: Buffer, callback: DataCallback): void {
    if (this.#hasFailed) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // Only joined when it can be whole: a long message comes in thousands of pieces.
    while (!this.#hasFailed && this.#length > 0 && this.#length >= (this.#wanted ?? 1)) {
      const [first] = this.#chunks;
      const all = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      const rest = this.#wanted === undefined ? this.#header(all) : this.#message(all, this.#wanted, callback);
      if (rest === undefined) {
        this.#chunks = [all];
        return;
      }
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#length = rest.length;
    }
  }

  /** Gives what follows the header; undefined while it is not whole. */
  #header(all: Buffer): Buffer | undefined {
    const end = all.indexOf(HEADER_END);
    const header = all.toString("latin1", 0, end < 0 ? MAX_HEADER_BYTES : end);
    const length = /^content-length: *(\d{1,10})\s*$/im.exec(header)?.[1];
    if (end >= 0 && length !== undefined && Number(length) <= MAX_MESSAGE_BYTES) {
      this.#wanted = Number(length);
      return all.subarray(end + HEADER_END.length);
    }
    if (end >= 0 && length !== undefined) this.#fail(`a message of ${length} bytes, more than ${MAX_MESSAGE_BYTES}`);
    else if (end >= 0 || all.length > MAX_HEADER_BYTES || !/^[\x20-\x7e\r\n\t]*$/.test(header))
      this.#fail(`what is no message: ${JSON.stringify(header.slice(0, 80))}`);
    return undefined;
  }

  #message(all: Buffer, length: number, callback: DataCallback): Buffer {
    this.#wanted = undefined;
    try {
      const message: unknown = JSON.parse(all.toString("utf8", 0, length));
      if (!isRecord(message) || message["jsonrpc"] !== "2.0") throw new SyntaxError("not of JSON-RPC 2.0");
      callback(message as unknown as Message); // its further shape the connection looks at
    } catch (error) {
      this.#fail(`what is no message: ${String(error)}`);
    }
    return all.subarray(length);
  }

  #fail(why: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#chunks = [];
    this.#length = 0;
    this.fireError(new Error(`the server sent ${why}`));
  }
}
