import { StringDecoder } from "node:string_decoder";

/** What a terminal's input can do here; `process.stdin` is one. */
export type KeyInput = {
  setRawMode(isRaw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data" | "end" | "error", listener: (chunk: Uint8Array) => void): unknown;
  off(event: "data" | "end" | "error", listener: (chunk: Uint8Array) => void): unknown;
};

/** Typed before the question stood there: dropped until nothing has come for a while, but not for ever. Milliseconds. */
const QUIET_MS = 60;
const MAX_QUIET_WAIT_MS = 1_000;
/** An escape that begins a key's sequence is followed by the rest of it within this. Milliseconds. */
const ESCAPE_WAIT_MS = 50;

/** Bursts that nobody has taken yet; further ones are dropped. */
const MAX_WAITING = 100;

/** One key with a meaning of its own, or text: a character, or what was pasted. */
export type Key = { type: "text"; text: string } | { type: "enter" | "escape" | "interrupt" | "backspace" | "suspend" };

/** Reads single keys from a terminal while it is open. */
export class Keyboard {
  readonly #input: KeyInput;
  readonly #decoder = new StringDecoder("utf8");
  #isOpen = false;
  readonly #waiting: (readonly Key[])[] = [];
  #wake: (() => void) | undefined;
  #escape: NodeJS.Timeout | undefined;
  /** The beginning of a key's sequence. */
  #partial = "";
  #heardAt = 0;
  readonly #onData = (chunk: Uint8Array) => this.#take(this.#decoder.write(Buffer.from(chunk)));
  readonly #onEnd = () => this.#give([{ type: "interrupt" }]);

  constructor(input: KeyInput) {
    this.#input = input;
  }

  /** Resolves when what had been typed before is gone. */
  async open(): Promise<void> {
    this.#input.setRawMode(true);
    this.#input.on("data", this.#onData);
    this.#input.on("end", this.#onEnd);
    this.#input.on("error", this.#onEnd);
    this.#input.resume();
    const openedAt = Date.now();
    this.#heardAt = openedAt;
    while (Date.now() - this.#heardAt < QUIET_MS && Date.now() - openedAt < MAX_QUIET_WAIT_MS) await pause(QUIET_MS);
    this.#isOpen = true;
  }

  close(): void {
    clearTimeout(this.#escape);
    this.#isOpen = false;
    this.#input.off("data", this.#onData);
    this.#input.off("end", this.#onEnd);
    this.#input.off("error", this.#onEnd);
    this.#input.pause();
    this.#input.setRawMode(false);
  }

  /** The keys that came together next: typed one by one, pasted, or by a hand faster than this process. */
  async next(signal?: AbortSignal): Promise<readonly Key[] | "withdrawn"> {
    if (this.#waiting.length === 0 && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        this.#wake = wake;
        signal?.addEventListener("abort", wake);
      });
      this.#wake = undefined;
    }
    return signal?.aborted ? "withdrawn" : (this.#waiting.shift() ?? []);
  }

  /** What was typed and not taken is dropped. */
  drop(): void {
    this.#waiting.length = 0;
  }

  #give(keys: readonly Key[]): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(keys);
    this.#wake?.();
  }

  #take(text: string): void {
    this.#heardAt = Date.now();
    if (!this.#isOpen || text === "") return;
    clearTimeout(this.#escape);
    const typed = (this.#partial + text).replace(SEQUENCE, "");
    this.#partial = UNFINISHED.exec(typed)?.[0] ?? "";
    const keys = keysIn(typed.slice(0, typed.length - this.#partial.length));
    if (keys.length > 0) this.#give(keys);
    if (this.#partial !== "") this.#escape = setTimeout(() => this.#endPartial(), ESCAPE_WAIT_MS);
  }

  /** Nothing has followed: it was the key itself. */
  #endPartial(): void {
    const isEscape = this.#partial === "\x1b";
    this.#partial = "";
    if (isEscape) this.#give([{ type: "escape" }]);
  }
}

/** Arrows and the like, which have no meaning here. */
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b[O])/g;
/** Where a sequence is cut, its rest must not be taken for a key. */
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|O)?$/;

const special: Readonly<Record<string, Exclude<Key["type"], "text">>> = {
  "\r": "enter",
  "\n": "enter",
  "\x03": "interrupt",
  "\x04": "interrupt",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1a": "suspend",
};

function keysIn(text: string): Key[] {
  const pieces = text.match(/[\r\n\x03\x04\x7f\b\x1a]|[^\x00-\x1f\x7f]+/g) ?? [];
  return pieces.map((piece): Key => {
    const type = special[piece];
    return type === undefined ? { type: "text", text: piece } : { type };
  });
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
