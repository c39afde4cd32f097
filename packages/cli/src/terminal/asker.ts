import type { Style } from "../print/terminal-text.ts";
import { type Key, Keyboard, type KeyInput } from "./keyboard.ts";
import { folded, rowsIn, withUnseenShown, wordRowsIn } from "./shown-text.ts";

export type Choice<Value> = {
  /** One lower-case letter. */
  key: string;
  label: string;
  value: Value;
  /** What is asked for before it counts, such as words for the model. */
  wantsText?: string;
};

/** A question with everything in it safe to show. */
export type Question<Value> = {
  title: string;
  /** Folded where it is long. */
  body: readonly string[];
  /** Never folded. */
  reasons: readonly string[];
  choices: readonly Choice<Value>[];
  /** The key of the choice that Enter makes; without one Enter does nothing. */
  enter?: string;
};

export type Reply<Value> = { type: "chosen"; value: Value; text: string } | { type: "stopped" } | { type: "withdrawn" };

type Output = { write(text: string): unknown; columns?: number; rows?: number };

type Options = {
  input: KeyInput;
  output: Output;
  style: Style;
  /** Keeps everything else off the terminal until the function that it gives is called. */
  pauseDisplay(): () => void;
  /** What Ctrl-C does elsewhere. */
  interrupt(): void;
  /** Stops this process until it is taken up again. */
  suspend(): Promise<void>;
};

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** Rows of a screen that a folded body leaves for the rest of a question. */
const ROWS_BESIDE = 12;
const MIN_BODY_ROWS = 6;
/** A person types less; a paste may be more. Characters. */
const MAX_TEXT_CHARS = 4_000;

/** Asks questions on a terminal, one after the other. */
export class Asker {
  readonly #options: Options;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves with what was chosen; `withdrawn` when the signal aborts first, `stopped` for Esc and Ctrl-C. */
  ask<Value>(question: Question<Value>, signal?: AbortSignal): Promise<Reply<Value>> {
    const turn = this.#last.then(() => this.#ask(question, signal));
    this.#last = turn.catch(() => {}); // the one who asked is told
    return turn;
  }

  async #ask<Value>(question: Question<Value>, signal?: AbortSignal): Promise<Reply<Value>> {
    if (signal?.aborted) return { type: "withdrawn" };
    const resumeDisplay = this.#options.pauseDisplay();
    const keyboard = new Keyboard(this.#options.input);
    try {
      await keyboard.open();
      if (signal?.aborted) return { type: "withdrawn" };
      this.#show(question, false);
      const reply = await this.#reply(question, keyboard, signal);
      this.#line(this.#options.style.dim(`→ ${told(question, reply)}`));
      return reply;
    } finally {
      keyboard.close();
      resumeDisplay();
    }
  }

  async #reply<Value>(question: Question<Value>, keyboard: Keyboard, signal?: AbortSignal): Promise<Reply<Value>> {
    for (;;) {
      const keys = await keyboard.next(signal);
      if (keys === "withdrawn") return { type: "withdrawn" };
      if (this.#isStopped(keys)) return { type: "stopped" };
      if (keys.some(({ type }) => type === "suspend")) await this.#suspend(question, keyboard);
      const pressed = pressedIn(keys, question.enter);
      if (pressed === SHOW_ALL) this.#show(question, true);
      const choice = question.choices.find(({ key }) => key === pressed);
      if (choice === undefined) continue;
      keyboard.drop();
      if (choice.wantsText === undefined) return { type: "chosen", value: choice.value, text: "" };
      const reply = await this.#text(choice, choice.wantsText, keyboard, signal);
      if (reply !== "back") return reply;
      keyboard.drop();
      this.#show(question, false);
    }
  }

  async #text<Value>(
    { value }: Choice<Value>,
    wanted: string,
    keyboard: Keyboard,
    signal?: AbortSignal,
  ): Promise<Reply<Value> | "back"> {
    this.#line(wanted);
    let text = "";
    for (;;) {
      this.#editedLine(text);
      const keys = await keyboard.next(signal);
      const end = keys === "withdrawn" ? keys : keys.find(({ type }) => type in endsText)?.type;
      if (keys !== "withdrawn") text = edited(text, keys);
      if (end === undefined) continue;
      this.#line("");
      if (end === "withdrawn") return { type: "withdrawn" };
      if (keys !== "withdrawn" && end === "interrupt" && this.#isStopped(keys)) return { type: "stopped" };
      if (end === "enter" && text.trim() !== "") return { type: "chosen", value, text: text.trim() };
      return "back";
    }
  }

  /** Esc ends the question, and so does Ctrl-C, which does besides what it does elsewhere. */
  #isStopped(keys: readonly Key[]): boolean {
    const isInterrupted = keys.some(({ type }) => type === "interrupt");
    if (isInterrupted) this.#options.interrupt();
    return isInterrupted || keys.some(({ type }) => type === "escape");
  }

  async #suspend<Value>(question: Question<Value>, keyboard: Keyboard): Promise<void> {
    keyboard.close();
    await this.#options.suspend();
    await keyboard.open();
    this.#show(question, false);
  }

  #show<Value>(question: Question<Value>, isWhole: boolean): void {
    const { style, output } = this.#options;
    const columns = (output.columns || DEFAULT_COLUMNS) - 1;
    const all = question.body.flatMap((line) => wordRowsIn(line, columns - 2));
    const room = Math.max(MIN_BODY_ROWS, (output.rows || DEFAULT_ROWS) - ROWS_BESIDE);
    const { rows, hidden } = isWhole ? { rows: all, hidden: 0 } : folded(all, room);
    this.#line("");
    for (const row of wordRowsIn(question.title, columns)) this.#line(style.bold(row));
    for (const row of rows) this.#line(`  ${row}`);
    for (const reason of question.reasons) for (const row of wordRowsIn(reason, columns)) this.#line(style.dim(row));
    const choices = question.choices.map(({ key, label }) => `[${key}] ${label}`);
    if (hidden > 0) choices.push(`[${SHOW_ALL}] show all ${all.length} rows`);
    choices.push("[Esc] stop");
    for (const choice of choices) for (const row of wordRowsIn(choice, columns)) this.#line(style.cyan(row));
  }

  #line(text: string): void {
    this.#options.output.write(`${text}\n`);
  }

  /** One row: of a long text its end. */
  #editedLine(text: string): void {
    const columns = (this.#options.output.columns || DEFAULT_COLUMNS) - 3;
    const row = rowsIn(Array.from(withUnseenShown(text)).reverse().join(""), columns)[0] ?? "";
    this.#options.output.write(`\r\x1b[2K> ${Array.from(row).reverse().join("")}`);
  }
}

const SHOW_ALL = "v";
const endsText: Readonly<Partial<Record<Key["type"], true>>> = { enter: true, escape: true, interrupt: true };

/** The key of a choice. What comes in one piece with more than it, such as a paste, chooses nothing. */
function pressedIn([key, ...more]: readonly Key[], enter: string | undefined): string | undefined {
  if (more.some(({ type }) => type !== "enter")) return undefined;
  return key?.type === "text" ? key.text.toLowerCase() : key?.type === "enter" ? enter : undefined;
}

/** The text after the keys up to the one that ends it. */
function edited(text: string, keys: readonly Key[]): string {
  let after = text;
  for (const key of keys) {
    if (key.type in endsText) break;
    if (key.type === "text") after = (after + key.text).slice(0, MAX_TEXT_CHARS);
    if (key.type === "backspace") after = Array.from(after).slice(0, -1).join("");
  }
  return after;
}

function told<Value>({ choices }: Question<Value>, reply: Reply<Value>): string {
  if (reply.type === "withdrawn") return "answered by a change of the rules, or not needed any more";
  if (reply.type === "stopped") return "stopped";
  return choices.find(({ value }) => value === reply.value)?.label ?? "";
}
