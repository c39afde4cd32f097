import type { SdkMessage, SdkResult } from "@pawl/core";
import type { Output } from "../output.ts";
import type { Presenter } from "../presenter.ts";
import { safeText } from "../terminal/shown-text.ts";
import { DenialNotes } from "./denial-notes.ts";
import { answerText, errorText, noticeOf } from "./result-text.ts";

/** For pipes: the answer and a newline on stdout, nothing else; what went wrong, and what is waited for, on stderr. */
export class AnswerWriter implements Presenter {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #denials = new DenialNotes();
  /** The work is not undone by a reader that leaves: only the answer is lost. */
  readonly isAbandoned = false;

  constructor(stdout: Output, stderr: Output) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  async show(message: SdkMessage): Promise<void> {
    this.#denials.see(message);
    const notice = noticeOf(message);
    if (notice !== undefined) await this.#stderr.write(`pawl: ${safeText(notice)}\n`);
    if (message.type === "result") await this.#showResult(message);
  }

  async close(): Promise<void> {}

  async #showResult(result: SdkResult): Promise<void> {
    for (const note of this.#denials.take(result)) await this.#stderr.write(`pawl: ${safeText(note)}\n`);
    if (result.is_error) await this.#stderr.write(`pawl: ${safeText(errorText(result))}\n`);
    else await this.#stdout.write(`${answerText(result)}\n`);
  }
}
