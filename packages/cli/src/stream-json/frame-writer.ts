import type { SdkMessage } from "@pawl/core";
import type { Output } from "../output.ts";
import type { Presenter } from "../presenter.ts";
import type { ControlResponse } from "./control-response.ts";

/** Consumers give up on a longer line. Characters. */
const MAX_LINE_CHARS = 1024 * 1024;
/** Frames kept for the next write; beyond, the turn waits for the reader. Characters. */
const MAX_BATCH_CHARS = 256 * 1024;

/** One frame a line. Frames that are there at the same time go out in one write. */
export class FrameWriter implements Presenter {
  readonly resultIsLast = true;
  readonly #output: Output;
  #batch = "";
  #writing: Promise<void> | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  get isAbandoned(): boolean {
    return this.#output.isBroken;
  }

  async show(message: SdkMessage | ControlResponse): Promise<void> {
    this.#batch += lineOf(message);
    this.#writing ??= this.#writeBatches();
    if (this.#batch.length > MAX_BATCH_CHARS) await this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  async #writeBatches(): Promise<void> {
    while (this.#batch !== "") {
      await new Promise(setImmediate); // lets the frames of this instant come together
      const batch = this.#batch;
      this.#batch = "";
      await this.#output.write(batch);
    }
    this.#writing = undefined;
  }
}

/** A whole line. The structured copy of a tool's result is left out where it would make the line too long: it is for eyes only. */
function lineOf(message: SdkMessage | ControlResponse): string {
  const line = JSON.stringify(message);
  if (line.length < MAX_LINE_CHARS || message.type !== "user") return `${line}\n`;
  const { tool_use_result: _, ...rest } = message;
  return `${JSON.stringify(rest)}\n`;
}
