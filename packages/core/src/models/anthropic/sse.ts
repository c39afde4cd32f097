import { PawlError } from "../../lib/error.ts";

/** A longer event is not one of an answer. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

const LINE_FEED = 10;
const SPACE = 32;

/**
 * Server-sent events out of bytes that come in any pieces. `onEvent` gets the joined `data:` lines of each event and its
 * name, empty when it has none; comments, ids and retry times are left out.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseParser {
  readonly #onEvent: (data: string, name: string) => void;
  // Takes a byte order mark off, and waits for the rest of a character that a piece cut in two.
  readonly #decoder = new TextDecoder();
  /** The begun line. */
  #rest = "";
  #endedInReturn = false;
  #data: string | undefined;
  #name = "";
  #lastName = "";

  constructor(onEvent: (data: string, name: string) => void) {
    this.#onEvent = onEvent;
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The end of the bytes. A last event without its blank line is given too: some servers leave it out. */
  end(): void {
    this.#take(`${this.#decoder.decode()}\n\n`);
  }

  #take(piece: string): void {
    const text = this.#withLineFeeds(piece);
    let start = 0;
    let end = text.indexOf("\n");
    if (end >= 0 && this.#rest !== "") {
      const line = this.#rest + text.slice(0, end);
      this.#rest = "";
      this.#line(line, 0, line.length);
      start = end + 1;
      end = text.indexOf("\n", start);
    }
    while (end >= 0) {
      this.#line(text, start, end);
      start = end + 1;
      end = text.indexOf("\n", start);
    }
    this.#rest += text.slice(start);
    if (this.#rest.length + (this.#data?.length ?? 0) > MAX_EVENT_CHARS) {
      throw new PawlError("internal", `an event of the stream is longer than ${MAX_EVENT_CHARS} characters`);
    }
  }

  /** Lines may end in CR LF, LF or CR; a CR LF may be cut in two. */
  #withLineFeeds(piece: string): string {
    const text = this.#endedInReturn && piece.charCodeAt(0) === LINE_FEED ? piece.slice(1) : piece;
    if (piece !== "") this.#endedInReturn = piece.endsWith("\r");
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  }

  #line(text: string, start: number, end: number): void {
    if (start === end) {
      this.#dispatch();
    } else if (text.startsWith("data:", start)) {
      const value = text.slice(text.charCodeAt(start + 5) === SPACE ? start + 6 : start + 5, end);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (text.startsWith("event:", start)) {
      const at = text.charCodeAt(start + 6) === SPACE ? start + 7 : start + 6;
      // Nearly every event has the name of the one before: no new string for it.
      const isSame = end - at === this.#lastName.length && text.startsWith(this.#lastName, at);
      if (!isSame) this.#lastName = text.slice(at, end);
      this.#name = this.#lastName;
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const name = this.#name;
    this.#data = undefined;
    this.#name = "";
    if (data !== undefined) this.#onEvent(data, name);
  }
}
