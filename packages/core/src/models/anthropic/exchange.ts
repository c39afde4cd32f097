import type { ClientRequest, IncomingMessage } from "node:http";
import { onAbort } from "../../lib/abort.ts";
import { systemCode } from "../../lib/error.ts";
import type { Connections, HttpRequest } from "../../lib/http.ts";
import type { ModelFailure } from "../failure.ts";
import { connectionFailure, lateFailure } from "./connection-failure.ts";
import { type Deadlines, Watchdog } from "./deadlines.ts";

/** A kept-alive socket may have been closed by the other side; then a fresh one is tried at once. */
const MAX_STALE_RETRIES = 2;

/** How long the rest of a finished answer is waited for, so that its connection can be used again. */
const REST_WAIT_MS = 1_000;

const MAX_ERROR_BODY_BYTES = 64 * 1024;

type Broken = { type: "broken"; failure: ModelFailure };
/** What a wait for the response gave. */
type Head = { type: "head"; response: IncomingMessage } | Broken;
/** What a wait for bytes gave. */
export type Read = { type: "bytes"; bytes: Buffer } | { type: "end" } | Broken;
/** What the reader of an answer needs of its exchange. */
export type BodySource = Pick<Exchange, "next" | "expectEnd" | "expectMore"> & {
  watchdog: Pick<Watchdog, "phase" | "arrived">;
};

/** One request and its response: everything that can end it early is told apart here. */
export class Exchange {
  readonly watchdog: Watchdog;
  readonly #connections: Connections;
  readonly #host: string;
  readonly #signal: AbortSignal;
  readonly #unlisten: () => void;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #chunks: AsyncIterator<Buffer> | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** Settles a wait for the response's head; the request alone does not while a proxy is asked for its tunnel. */
  #giveUp: (error: Error) => void = () => {};
  #isAtEnd = false;
  #isStopped = false;

  constructor(connections: Connections, host: string, deadlines: Deadlines, signal: AbortSignal) {
    this.#connections = connections;
    this.#host = host;
    this.#signal = signal;
    this.watchdog = new Watchdog(deadlines, () => this.stop());
    this.#unlisten = onAbort(signal, () => this.stop());
  }

  /** Sends the request and waits for the head of the response. */
  async send(request: HttpRequest, body: readonly Buffer[]): Promise<Head> {
    for (let retries = 0; ; retries++) {
      try {
        const response = await this.#attempt(request, body);
        this.#response = response;
        // Whoever reads gets the error; while nobody does, it must not end the process.
        response.on("error", () => {});
        this.#chunks = await decoded(response);
        return { type: "head", response };
      } catch (error) {
        if (!this.#isStale(error) || retries >= MAX_STALE_RETRIES) {
          return { type: "broken", failure: this.#failure(error) };
        }
        this.#connections.dropIdle();
        this.watchdog.enter("connect");
      }
    }
  }

  /** The next bytes of the body. */
  async next(): Promise<Read> {
    this.watchdog.waits();
    try {
      const next = await this.#chunks?.next();
      if (this.#isStopped) return { type: "broken", failure: this.#failure(new Error("stopped")) };
      if (next !== undefined && !next.done) return { type: "bytes", bytes: next.value };
      this.#isAtEnd = true;
      return { type: "end" };
    } catch (error) {
      return { type: "broken", failure: this.#failure(error) };
    }
  }

  /** The body of a refusal, cut at a bound: what came of it. */
  async text(): Promise<string> {
    const pieces: Buffer[] = [];
    for (let size = 0; size < MAX_ERROR_BODY_BYTES; ) {
      const next = await this.next();
      if (next.type !== "bytes") break;
      // A refusal is no content: all of it is waited for no longer than for the first piece of an answer.
      this.watchdog.arrived(false);
      pieces.push(next.bytes);
      size += next.bytes.length;
    }
    return Buffer.concat(pieces).toString();
  }

  /** The answer is whole: what may still come is waited for a short time, whatever comes meanwhile. */
  expectEnd(): void {
    this.#restTimer ??= setTimeout(() => this.stop(), REST_WAIT_MS).unref();
  }

  /** Another answer has begun. */
  expectMore(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = undefined;
  }

  /** Ends it for good. A response that was read to its end leaves its connection for the next request. */
  release(isWhole: boolean): void {
    this.#unlisten();
    this.watchdog.stop();
    clearTimeout(this.#restTimer);
    if (this.#isAtEnd) return;
    if (!isWhole || this.#isStopped) {
      this.stop();
      return;
    }
    setTimeout(() => this.stop(), REST_WAIT_MS).unref();
    void this.#drain();
  }

  /** Ends it at once, whoever waits for what. */
  stop(): void {
    if (this.#isAtEnd) return;
    this.#isStopped = true;
    this.#request?.destroy();
    this.#response?.destroy();
    this.#giveUp(new Error("stopped"));
  }

  async #drain(): Promise<void> {
    let next = await this.next();
    while (next.type === "bytes") next = await this.next();
  }

  #attempt(options: HttpRequest, body: readonly Buffer[]): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = this.#connections.request(options);
      this.#request = request;
      this.#giveUp = reject;
      request.on("error", reject);
      request.once("response", (response) => {
        this.watchdog.enter("first_content");
        resolve(response);
      });
      this.#connections.onConnected(request, () => this.watchdog.enter("headers"));
      for (const piece of body) request.write(piece);
      request.end();
      if (this.#isStopped) request.destroy();
    });
  }

  #failure(error: unknown): ModelFailure {
    if (this.#signal.aborted) return { type: "aborted" };
    const { expired, phase, limitMs } = this.watchdog;
    return expired === undefined
      ? connectionFailure(error, phase, this.#host)
      : lateFailure(expired, limitMs, this.#host);
  }

  #isStale(error: unknown): boolean {
    const code = systemCode(error);
    return !this.#isStopped && this.#request?.reusedSocket === true && (code === "ECONNRESET" || code === "EPIPE");
  }
}

/** The body's bytes. We ask for plain ones, but some gateways compress all the same. */
async function decoded(response: IncomingMessage): Promise<AsyncIterator<Buffer>> {
  const decoder = await decoderFor(response.headers["content-encoding"]);
  // Not `for await`: leaving that loop would close a connection that can be used again.
  if (decoder === undefined) return response[Symbol.asyncIterator]();
  const { pipeline } = await import("node:stream");
  // An error reaches the reader of the decoder.
  pipeline(response, decoder, () => {});
  return decoder[Symbol.asyncIterator]();
}

async function decoderFor(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return (await import("node:zlib")).createUnzip();
    case "br":
      return (await import("node:zlib")).createBrotliDecompress();
    default:
      return undefined;
  }
}
