import type { Mark, Screen } from "./screen.ts";

type Attempt = { mark: Mark | undefined; restore: () => void; uuids: Set<string> };

/** Follows which tries at an answer stand on the screen, so that what is discarded of them can be taken off it. */
export class Attempts {
  readonly #screen: Screen;
  readonly #attempts: Attempt[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** A request is made. `restore` is called when what comes of it has been taken off the screen. */
  begin(restore: () => void): void {
    this.#attempts.push({ mark: this.#screen.mark(), restore, uuids: new Set() });
  }

  /** A frame of the last try is shown. */
  add(uuid: string): void {
    this.#attempts.at(-1)?.uuids.add(uuid);
  }

  /** What stands there stays. */
  keep(): void {
    this.#attempts.length = 0;
    this.#screen.forget();
  }

  /** Something else has come to stand below: what is discarded later cannot be taken off the screen. */
  cover(): void {
    for (const attempt of this.#attempts) attempt.mark = undefined;
    this.#screen.forget();
  }

  /** The last try is discarded. False when some of it cannot be taken off the screen. */
  discardLast(): boolean {
    return this.#discard(this.#attempts.length - 1);
  }

  /** Frames are discarded, with all that came after them. Undefined when none of them stands on the screen. */
  discardFrom(uuids: readonly string[]): boolean | undefined {
    const index = this.#attempts.findIndex((attempt) => uuids.some((uuid) => attempt.uuids.has(uuid)));
    return index === -1 ? undefined : this.#discard(index);
  }

  #discard(index: number): boolean {
    const attempt = this.#attempts[index];
    if (attempt === undefined) return true;
    const isGone = this.#screen.takeBack(attempt.mark);
    if (isGone) attempt.restore();
    this.#attempts.length = index;
    this.begin(attempt.restore);
    return isGone;
  }
}
