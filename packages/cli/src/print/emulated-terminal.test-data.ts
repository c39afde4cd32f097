type Row = { text: string; wraps: boolean };

/** A terminal that shows what a person would see: it wraps at its width, knows the moves that are used, and can be resized. */
export class EmulatedTerminal {
  readonly isTTY = true;
  /** As the program is told. */
  columns: number;
  rows: number;
  /** As it is. */
  #width: number;
  #screen: Row[] = [{ text: "", wraps: false }];
  #row = 0;
  #column = 0;
  #isWrapping = true;

  constructor(columns: number, rows = 24) {
    this.columns = columns;
    this.rows = rows;
    this.#width = columns;
  }

  /** What stands there, row by row, down to the cursor. */
  get shown(): string[] {
    return this.#screen.slice(0, this.#row + 1).map(({ text }) => text);
  }

  readonly write = (text: string): void => {
    for (const part of text.match(/\x1b\[\??[0-9;]*[A-Za-z]|[\s\S]/g) ?? []) this.#take(part);
  };

  /** As most terminals do it: rows that were wrapped are joined and wrapped anew, and the program is told later. */
  resize(width: number): void {
    const above = this.#screen.slice(0, this.#row + 1);
    const lines = above.map(({ text, wraps }) => (wraps ? text : `${text}\n`)).join("");
    this.#width = width;
    this.#screen = [{ text: "", wraps: false }];
    this.#row = 0;
    this.#column = 0;
    this.write(lines.slice(0, -1));
  }

  #take(part: string): void {
    if (part === "\n") this.#nextRow();
    else if (part === "\r") this.#column = 0;
    else if (part.startsWith("\x1b[")) this.#move(part);
    else this.#put(part);
  }

  #put(character: string): void {
    if (this.#column === this.#width) {
      if (!this.#isWrapping) return;
      this.#at.wraps = true;
      this.#nextRow();
    }
    const { text } = this.#at;
    this.#at.text = `${text.slice(0, this.#column).padEnd(this.#column)}${character}${text.slice(this.#column + 1)}`;
    this.#column++;
  }

  #move(sequence: string): void {
    if (sequence === "\x1b[1A") this.#row = Math.max(0, this.#row - 1);
    if (sequence.startsWith("\x1b[?7")) this.#isWrapping = sequence === "\x1b[?7h";
    if (sequence !== "\x1b[2K") return;
    this.#at.text = "";
    this.#at.wraps = false;
  }

  #nextRow(): void {
    this.#row++;
    this.#column = 0;
    this.#screen[this.#row] ??= { text: "", wraps: false };
  }

  get #at(): Row {
    const row = this.#screen[this.#row];
    if (row === undefined) throw new Error("the cursor stands nowhere");
    return row;
  }
}
