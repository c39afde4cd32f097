import type { Phase } from "../failure.ts";

/** How long each phase of a request may take. Milliseconds. */
export type Deadlines = {
  connectMs: number;
  /** From the connection to the response's headers. */
  headersMs: number;
  /** From the headers to the first content. */
  firstContentMs: number;
  /** Between two pieces of content; pings do not count. */
  contentGapMs: number;
  wholeAnswerMs: number;
};

export const DEADLINES: Deadlines = {
  connectMs: 10_000,
  headersMs: 60_000,
  firstContentMs: 120_000,
  contentGapMs: 90_000,
  wholeAnswerMs: 30 * 60_000,
};

/** The same for an answer that comes in one piece: nothing comes before all of it is made. */
export const allAtTheEnd = (deadlines: Deadlines): Deadlines => ({
  ...deadlines,
  headersMs: deadlines.wholeAnswerMs,
  firstContentMs: deadlines.wholeAnswerMs,
});

/** Watches one request: calls `onExpired` when a phase takes too long. Time in which nobody asks for bytes is not counted. */
export class Watchdog {
  phase: Phase = "connect";
  expired: Phase | undefined;
  readonly #limits: Record<Phase, number>;
  readonly #onExpired: () => void;
  readonly #whole: NodeJS.Timeout;
  #phaseTimer: NodeJS.Timeout | undefined;
  #secondLook: NodeJS.Immediate | undefined;
  #waitedMs = 0;
  #waitingSince: number | undefined;

  constructor(deadlines: Deadlines, onExpired: () => void) {
    this.#limits = {
      connect: deadlines.connectMs,
      headers: deadlines.headersMs,
      first_content: deadlines.firstContentMs,
      content: deadlines.contentGapMs,
      whole_answer: deadlines.wholeAnswerMs,
    };
    this.#onExpired = onExpired;
    this.#whole = setTimeout(() => this.#expire("whole_answer"), deadlines.wholeAnswerMs).unref();
    this.enter("connect");
  }

  get limitMs(): number {
    return this.#limits[this.expired ?? this.phase];
  }

  enter(phase: Phase): void {
    this.phase = phase;
    this.#waitedMs = 0;
    this.#waitingSince = performance.now();
    this.#arm(this.#limits[phase]);
  }

  /** Bytes are asked for from now on. */
  waits(): void {
    this.#waitingSince = performance.now();
  }

  /** Bytes came; whether there was content among them. */
  arrived(hadContent: boolean): void {
    if (hadContent) {
      this.#waitedMs = 0;
      if (this.phase !== "content") this.enter("content");
    } else {
      this.#waitedMs = this.#waitedSoFar();
    }
    this.#waitingSince = undefined;
  }

  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#phaseTimer);
    clearImmediate(this.#secondLook);
  }

  // One timer serves a phase with thousands of pieces: when it fires it looks at how long was really waited.
  #arm(ms: number): void {
    clearTimeout(this.#phaseTimer);
    clearImmediate(this.#secondLook);
    this.#phaseTimer = setTimeout(() => this.#check(), ms).unref();
  }

  #check(isSecondLook = false): void {
    const leftMs = this.#limits[this.phase] - this.#waitedSoFar();
    if (leftMs > 1) this.#arm(leftMs);
    else if (isSecondLook) this.#expire(this.phase);
    // After a time in which this process could not run, its timers come before the bytes that have arrived meanwhile.
    else this.#secondLook = setImmediate(() => this.#check(true));
  }

  #waitedSoFar(): number {
    return this.#waitedMs + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  #expire(phase: Phase): void {
    this.expired ??= phase;
    this.stop();
    this.#onExpired();
  }
}
