import { onAbort } from "../lib/abort.ts";
import type { ApiMessage } from "../messages/api-message.ts";
import type { Usage } from "../messages/message.ts";
import { fromApiContent, toApiMessage } from "../messages/normalize.ts";
import type { ThinkingConfig } from "../models/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { NodeSignal } from "../query/transition.ts";
import { checkPrompt, type Prompt, userLine } from "./input.ts";
import type { SdkMessage } from "./sdk-message.ts";
import { createSession, type EngineConfig, record, type Session } from "./session.ts";
import { refuseUnpriced, setModel } from "./set-model.ts";
import { type OwnTurn, type SubmitOptions, submitMessage } from "./submit-message.ts";

/** How long `close` waits for a running turn to write its end. Milliseconds. */
const CLOSE_WAIT_MS = 3_000;

/**
 * One conversation across turns. `createEngine` makes one from options; this constructor takes the whole configuration and
 * fetches nothing itself.
 */
export class QueryEngine {
  readonly #session: Session;
  readonly #unwatch: () => void;
  #closing: Promise<void> | undefined;

  /** @throws PawlError `bad_option` when there is a budget in dollars and a model whose price is not known. */
  constructor(config: EngineConfig) {
    refuseUnpriced([config.model, ...(config.fallbackModels ?? [])], config.maxBudgetUsd);
    this.#session = createSession(config);
    const { signal } = config;
    this.#unwatch = signal ? onAbort(signal, () => this.#session.controller.abort(signal.reason)) : () => {};
  }

  get sessionId(): string {
    return this.#session.config.sessionId;
  }

  /** Absolute path of the session's JSONL file, or null when nothing is kept. */
  get transcriptPath(): string | null {
    return this.#session.config.store.path;
  }

  /** What the model sees of the conversation, in the API's form. */
  get messages(): ApiMessage[] {
    return this.#session.messages.map(toApiMessage);
  }

  /** Tokens of all responses of the session. */
  get usage(): Usage {
    return this.#session.ledger.total();
  }

  /** Steps at the end of a strict scenario that no request has asked for; empty with any other model. */
  unusedSteps(): readonly string[] {
    return this.#session.model.unusedSteps?.() ?? [];
  }

  /**
   * Runs one turn and gives its frames as they come, ending with exactly one `result`. Leaving early (`break`, `return()`)
   * aborts the turn and leaves the session ready for the next one.
   *
   * @param prompt text, or content blocks in the API's form.
   * @throws PawlError at the first `next()`: `bad_prompt`, `engine_busy`, `engine_closed`, `repeated_uuid`.
   */
  submitMessage(prompt: Prompt, options: SubmitOptions = {}): AsyncGenerator<SdkMessage, void> {
    const own: OwnTurn = { abort: () => {} };
    const turn = submitMessage(this.#session, prompt, options, own);
    const end = turn.return.bind(turn);
    // A tool may be running: without the abort, leaving early would wait until it has ended.
    turn.return = (value) => {
      own.abort();
      return end(value);
    };
    return turn;
  }

  /** Input that joins the running turn at its next round, or the next turn. */
  enqueue(prompt: Prompt): void {
    checkPrompt(prompt);
    const content =
      typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : fromApiContent([...prompt]);
    this.#session.queue.push(userLine(this.#session.config.clock.uuid(), content));
  }

  /** Ends the running turn; its generator gives a `result` within about a second. */
  interrupt(signal?: NodeSignal): void {
    this.#session.turn?.controller.abort(signal === undefined ? undefined : { signal });
  }

  /** From the next turn on. @throws PawlError `unknown_model`, `missing_key`, `bad_option` (its price, see `maxBudgetUsd`). */
  async setModel(name: string): Promise<void> {
    await setModel(this.#session, name);
  }

  /** At once, also for the turn that runs. */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    this.#session.config.appState.set((before) => ({ ...before, mode }));
    await record(this.#session, { type: "state", part: "mode", value: mode });
  }

  /** From the next turn on. */
  setThinking(thinking: ThinkingConfig | undefined): void {
    this.#session.thinking = thinking;
  }

  /** Ends a running turn, every child process, and the transcript. Every call waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** `await using engine = await createEngine(…)`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { shell, store, closeModels } = this.#session.config;
    this.#session.isClosed = true;
    this.#unwatch();
    this.#session.controller.abort();
    try {
      if (this.#session.turn) await settled(this.#session.turn.ended, CLOSE_WAIT_MS);
      await shell.close();
      await closeModels?.();
      await this.#recordReadState();
    } finally {
      await store.close();
    }
  }

  /** What the model has read, for a later session: entries are checked by hash before they are used. */
  async #recordReadState(): Promise<void> {
    const value = [...this.#session.config.readState.entries()];
    if (value.length === 0) return;
    try {
      await record(this.#session, { type: "state", part: "readState", value });
    } catch {
      // The turn has told that the journal cannot be written; without this part files are read again.
    }
  }
}

async function settled(running: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([running, tooLong]);
  clearTimeout(timer);
}
