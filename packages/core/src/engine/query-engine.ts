import { onAbort } from "../lib/abort.ts";
import { within } from "../lib/within.ts";
import type { ApiMessage } from "../messages/api-message.ts";
import type { Usage } from "../messages/message.ts";
import { fromApiContent, toApiBlock, toApiMessage } from "../messages/normalize.ts";
import type { ThinkingConfig } from "../models/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { NodeSignal } from "../query/transition.ts";
import type { EngineConfig } from "./engine-config.ts";
import { checkPrompt, type Prompt, userLine } from "./input.ts";
import type { SdkMessage } from "./sdk-message.ts";
import { createSession, record, type Session } from "./session.ts";
import { setMode } from "./set-mode.ts";
import { refuseUnpriced, setModel } from "./set-model.ts";
import { type OwnTurn, type SubmitOptions, submitMessage } from "./submit-message.ts";

/** How long `close` waits for a running turn to write its end. Milliseconds. */
const CLOSE_WAIT_MS = 3_000;

/** `tasks`: descriptions of the background tasks that run. */
export type PendingWork = {
  tasks: readonly string[];
  /** Scheduled; `isKept`: a resumed session has it still. `createdAt` in milliseconds since the epoch. */
  prompts: readonly { prompt: string; isKept: boolean; createdAt: number }[];
};

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

  /** Resolves once the model should be told something that no turn has taken, or the signal aborts. Between turns only. */
  noticed(signal: AbortSignal): Promise<void> {
    return this.#session.inbox.noticed(signal);
  }

  /**
   * Waits for something, such as the next prompt, or until the model should be told something, such as the end of a
   * background task: then `submitNotices` starts a turn for it. Between turns only.
   */
  async orNotice<Value>(other: Promise<Value>): Promise<Value | "notice"> {
    const enough = new AbortController();
    const noticed = this.noticed(enough.signal).then(() => "notice" as const);
    try {
      return await Promise.race([other, noticed]);
    } finally {
      enough.abort();
    }
  }

  /** A turn for what the model should be told, without a prompt of a person. Gives no frame when there is nothing. */
  submitNotices(): AsyncGenerator<SdkMessage, void> {
    const notice = this.#session.turn === undefined ? this.#session.inbox.takeNotice() : undefined;
    const { origin } = notice ?? {};
    if (notice === undefined || origin === undefined) return nothing();
    return this.submitMessage(notice.content.map(toApiBlock), { uuid: notice.uuid, isMeta: true, origin });
  }

  /** Waits until every background task has ended, at most so long; true when all have. */
  async tasksSettled(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const { tasks } = this.#session;
    await tasks.settled(timeoutMs, signal);
    return tasks.list().every(({ status }) => status !== "running");
  }

  /** What goes on beside the turns, or is still to come, and would be cut off by `close`. */
  pending(): PendingWork {
    const { tasks, scheduler, config } = this.#session;
    const running = tasks.list().filter(({ status }) => status === "running");
    return {
      tasks: running.map(({ description }) => description),
      prompts: scheduler.list().map(({ prompt, durable, createdAt }) => {
        return { prompt, isKept: durable && config.store.path !== null, createdAt };
      }),
    };
  }

  /** Ends every background task; their ends are among `takeFrames`. */
  async endTasks(): Promise<void> {
    await this.#session.tasks.stopAll();
  }

  /** What arose since the last turn, such as the ends of background tasks. */
  takeFrames(): SdkMessage[] {
    return this.#session.frames.take();
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
    await setMode(this.#session, mode);
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
    this.#session.scheduler.close();
    try {
      if (this.#session.turn) await within(this.#session.turn.ended, CLOSE_WAIT_MS);
      await shell.close();
      await recordNotices(this.#session);
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

/** What no turn has told the model stands in the history for the next one. */
async function recordNotices(session: Session): Promise<void> {
  // The ends of the tasks that have just been ended are told in the next turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const notices = session.queue.filter(({ origin }) => origin !== undefined);
  if (session.messages.length === 0) return;
  try {
    for (const message of notices) {
      await record(session, { type: "message", message, parent: session.leaf, isSidechain: false });
    }
  } catch {
    // The turn has told that the journal cannot be written.
  }
}

async function* nothing(): AsyncGenerator<SdkMessage, void> {}
