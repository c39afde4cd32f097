import { fitted, rowsOf } from "./terminal-text.ts";

const REDRAW_MS = 100;
const DEFAULT_COLUMNS = 80;
/** More than a screen holds; it cannot be taken back. Characters. */
const MAX_LOG_CHARS = 50_000;
const spinner = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const ERASE_LINE = "\r\x1b[2K";
/** Cut at the edge and not wrapped: a window may be narrower than this process knows yet. */
const unwrapped = (line: string) => `\x1b[?7l${line}\x1b[?7h`;
/** Row by row: of a screen that is cleared in one go some terminals keep what stood there. */
const eraseUpwards = (rows: number) => Array(rows).fill(ERASE_LINE).join("\x1b[1A");

export type Terminal = { write(text: string): unknown; isTTY?: boolean; columns?: number; rows?: number };

/** A place in what was shown, and how wide the terminal was there. */
export type Mark = { at: number; columns: number };

/**
 * Lines that stay, and below them one that moves. The moving line is shown only where the cursor is at the start of a line
 * and is erased before anything else is written, so the two never mix.
 */
export class Screen {
  readonly #terminal: Terminal;
  readonly #status: () => string;
  #isAtLineStart = true;
  /** The moving line as it stands there. */
  #drawn = "";
  #tick = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #onExit = () => this.#erase();
  /** What was shown since `forget`; undefined when that has become too much. */
  #log: string | undefined = "";

  constructor(terminal: Terminal, status: () => string) {
    this.#terminal = terminal;
    this.#status = status;
  }

  get columns(): number {
    return this.#terminal.columns || DEFAULT_COLUMNS;
  }

  /** Begins to show the moving line; elsewhere than on a terminal there is none. */
  start(): void {
    if (!this.#canMove || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    process.on("exit", this.#onExit);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off("exit", this.#onExit);
    this.#erase();
  }

  print(text: string): void {
    if (text === "") return;
    this.#erase();
    this.#terminal.write(text);
    this.#isAtLineStart = text.endsWith("\n");
    const log = `${this.#log ?? ""}${text}`;
    this.#log = this.#log === undefined || log.length > MAX_LOG_CHARS ? undefined : log;
  }

  /** A whole line of its own. */
  line(text: string): void {
    this.startLine();
    this.print(`${text}\n`);
  }

  startLine(): void {
    if (!this.#isAtLineStart) this.print("\n");
  }

  /** Lets another stream write whole lines to the same terminal. */
  aside(write: () => void): void {
    this.startLine();
    this.#erase();
    write();
    this.forget();
  }

  /** Leaves the terminal to somebody else until the function that it gives is called. */
  pause(): () => void {
    const wasMoving = this.#timer !== undefined;
    this.startLine();
    this.stop();
    return () => {
      if (wasMoving) this.start();
    };
  }

  /** What has been shown so far is not taken back any more. */
  forget(): void {
    this.#log = "";
  }

  /** A place, at the start of a line, that `takeBack` can go back to until `forget`. */
  mark(): Mark | undefined {
    this.startLine();
    return this.#log === undefined ? undefined : { at: this.#log.length, columns: this.columns };
  }

  /** Takes away what was shown since the mark; false when it cannot be done without touching what stands above, and it stays. */
  takeBack(mark: Mark | undefined): boolean {
    if (mark === undefined || this.#log === undefined) return false;
    const shown = this.#log.slice(mark.at);
    if (shown === "") return true;
    const isUnmoved = this.#canMove && this.columns === mark.columns;
    const rows = isUnmoved ? rowsOf(shown, this.columns) : undefined;
    if (rows === undefined || rows > (this.#terminal.rows ?? 0)) return false;
    this.#erase();
    this.#terminal.write(eraseUpwards(rows));
    this.#isAtLineStart = true;
    this.#log = this.#log.slice(0, mark.at);
    return true;
  }

  get #canMove(): boolean {
    return this.#terminal.isTTY === true && process.env["TERM"] !== "dumb";
  }

  #draw(): void {
    if (!this.#isAtLineStart) return;
    const sign = spinner[this.#tick++ % spinner.length];
    const line = fitted(`${sign} ${this.#status()}`, this.columns);
    this.#terminal.write(`${this.#erasing()}${unwrapped(line)}`);
    this.#drawn = line;
  }

  #erase(): void {
    if (this.#drawn === "") return;
    this.#terminal.write(this.#erasing());
    this.#drawn = "";
  }

  /** Where the window has become narrower since, terminals have wrapped the line. */
  #erasing(): string {
    const rows = Math.ceil(this.#drawn.length / this.columns);
    return eraseUpwards(Math.max(1, rows));
  }
}
