import { seconds, untilRetry } from "./result-text.ts";

/** A model that says nothing for so long is waited for; before, it thinks. */
const QUIET_MS = 3_000;

/** Follows how long the model has said nothing, and until when it is left alone. All times in milliseconds. */
export class ModelWait {
  #quietSince: number | undefined;
  #hasContent = false;
  #retryAt = 0;
  #reason = "";
  /** Whether the request follows one that failed. */
  #isAgain = false;

  requested(now: number): void {
    this.#quietSince = now;
    this.#hasContent = false;
    this.#isAgain = this.#retryAt > 0;
    this.#retryAt = 0;
  }

  /** @param event as the provider sent it; a ping says only that the connection is alive. */
  heard(event: unknown, now: number): void {
    const isPing = typeof event === "object" && event !== null && "type" in event && event.type === "ping";
    if (isPing) return;
    this.#quietSince = now;
    this.#hasContent = true;
  }

  answered(): void {
    this.#quietSince = undefined;
    this.#isAgain = false;
    this.#retryAt = 0;
  }

  retryAt(time: number, reason: string): void {
    this.#quietSince = undefined;
    this.#retryAt = time;
    this.#reason = reason;
  }

  /** What is waited for and how long already, or how long still; undefined when it is no wait. */
  text(now: number): string | undefined {
    if (this.#retryAt > 0) return `${untilRetry(this.#retryAt - now)}: ${this.#reason}`;
    const quietMs = this.#quietSince === undefined ? 0 : now - this.#quietSince;
    if (this.#isAgain && !this.#hasContent && quietMs < QUIET_MS) return "asked again, waiting for the model";
    if (quietMs < QUIET_MS) return undefined;
    return `${this.#hasContent ? "nothing more" : "no answer"} from the model for ${seconds(quietMs)}`;
  }
}
