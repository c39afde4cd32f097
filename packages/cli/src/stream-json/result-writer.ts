import type { SdkMessage } from "@pawl/core";
import type { Output } from "../output.ts";
import type { Presenter } from "../presenter.ts";
import { noticeOf } from "../print/result-text.ts";
import { safeText } from "../terminal/shown-text.ts";

/** One object in all: the frame that ends the turn. What a person should know beside it goes to stderr. */
export class ResultWriter implements Presenter {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly isAbandoned = false;

  constructor(stdout: Output, stderr: Output) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  async show(message: SdkMessage): Promise<void> {
    const notice = noticeOf(message);
    if (notice !== undefined) await this.#stderr.write(`pawl: ${safeText(notice)}\n`);
    if (message.type === "result") await this.#stdout.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {}
}
