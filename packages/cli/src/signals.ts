import { type EndingSignal, signalExitCodes } from "./exit-code.ts";

/** From the first signal to the end of the process, for the last record to be written and children to end. */
const GRACE_MS = 5_000;

/** What a hurried end may take: children get a moment to end, and are then killed. Milliseconds. */
const HURRY_MS = 1_500;

/** Watches for signals. The first one asks for an orderly end, which has a bound; the second ends children and process at once. */
export class Signals {
  /** The signal that ends this process. */
  received: EndingSignal | undefined;
  /** Resolves when such a signal comes. */
  readonly ending: Promise<void>;
  readonly #stop: (() => void)[] = [];

  /**
   * @param onSignal what to do about it; tells whether the process is to end.
   * @param endChildren ends every child process; the process exits when it has settled, or is too slow.
   */
  constructor(onSignal: (signal: EndingSignal) => boolean, endChildren: () => Promise<void>) {
    let end = () => {};
    this.ending = new Promise((resolve) => {
      end = resolve;
    });
    const exitSoon = (signal: EndingSignal) => {
      const exit = () => process.exit(signalExitCodes[signal]);
      setTimeout(exit, HURRY_MS);
      endChildren().then(exit, exit);
    };
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
      const listener = () => {
        if (this.received !== undefined) return exitSoon(this.received);
        if (!onSignal(signal)) return;
        this.received = signal;
        end();
        setTimeout(() => exitSoon(signal), GRACE_MS).unref();
      };
      process.on(signal, listener);
      this.#stop.push(() => process.off(signal, listener));
    }
  }

  release(): void {
    for (const stop of this.#stop) stop();
  }
}
