import { once } from "node:events";
import type { Writable } from "node:stream";
import { systemCode } from "./system-code.ts";

/** Text to a stream that may be slow or go away. Waits for a slow reader; a reader that left is not an error. */
export class Output {
  readonly #stream: Writable;
  #failure: Error | undefined;
  readonly #broken: Promise<void>;

  constructor(stream: Writable) {
    this.#stream = stream;
    this.#broken = new Promise((resolve) => {
      stream.on("error", (error) => {
        if (this.#failure === undefined && isLoss(error)) tellOfLoss(stream, error);
        this.#failure ??= error;
        resolve();
      });
    });
  }

  /** Nobody reads any more: what is written goes nowhere. */
  get isBroken(): boolean {
    return this.#failure !== undefined;
  }

  /** Something could not be written, and not because its reader had left. */
  get hasLostText(): boolean {
    return this.#failure !== undefined && isLoss(this.#failure);
  }

  /** Resolves when the stream can take more. */
  async write(text: string): Promise<void> {
    if (this.isBroken || text === "" || this.#stream.write(text)) return;
    await Promise.race([once(this.#stream, "drain"), this.#broken]);
  }

  /** Resolves when all that was written has left this process. */
  async flush(): Promise<void> {
    if (this.isBroken) return;
    const flushed = new Promise<void>((resolve) => {
      // After an error the stream's own event says which.
      this.#stream.write("", (error) => {
        if (!error) resolve();
      });
    });
    await Promise.race([flushed, this.#broken]);
  }
}

const isLoss = (error: Error): boolean => systemCode(error) !== "EPIPE";

/** Of stderr itself nobody can be told. */
function tellOfLoss(stream: Writable, { message }: Error): void {
  if (stream !== process.stderr) process.stderr.write(`pawl: cannot write the output: ${message}\n`);
}
