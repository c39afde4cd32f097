const FIRST_ALLOCATION_BYTES = 64 * 1024;

/** The beginning of a conversation's request bodies, as bytes: written once, then only added to. */
export class BodyStart {
  readonly #head: string;
  readonly #parts: object[] = [];
  #bytes = Buffer.allocUnsafe(FIRST_ALLOCATION_BYTES);
  #length = 0;

  constructor(head: string) {
    this.#head = head;
    this.#append(head);
  }

  /** Whether it begins a body with this head and these parts; parts are compared by identity. */
  begins(head: string, parts: readonly object[]): boolean {
    const isWithin = head === this.#head && this.#parts.length <= parts.length;
    return isWithin && this.#parts.every((part, at) => part === parts[at]);
  }

  /** The bytes of the head and of all `parts`, of which the first are those that were written before. */
  upTo<Part extends object>(parts: readonly Part[], textOf: (part: Part) => string): Buffer {
    const added = parts.slice(this.#parts.length);
    this.#append(added.map(textOf).join(""));
    this.#parts.push(...added);
    return this.#bytes.subarray(0, this.#length);
  }

  /** What was given out stays as it is: a request may still be sending it. */
  #append(text: string): void {
    const needed = this.#length + Buffer.byteLength(text);
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }
}
