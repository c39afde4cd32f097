/** Follows the model's raw stream events: the text of the answer as it grows, and what it has cost. */
export class StreamedText {
  /** Text blocks that were shown piece by piece, whose whole frames are still to come. */
  #shownBlocks = 0;
  #isInBlock = false;

  take(event: unknown): { text?: string; outputTokens?: number } {
    const { type, delta, usage } = fieldsOf(event);
    if (type === "content_block_start") this.#isInBlock = false;
    if (type === "message_delta") {
      const { output_tokens: outputTokens } = fieldsOf(usage);
      return typeof outputTokens === "number" ? { outputTokens } : {};
    }
    const { text } = fieldsOf(delta);
    if (type !== "content_block_delta" || typeof text !== "string") return {};
    if (!this.#isInBlock) this.#shownBlocks++;
    this.#isInBlock = true;
    return { text };
  }

  /** Asked for each whole text block: whether its text has been shown already. */
  isShown(): boolean {
    if (this.#shownBlocks === 0) return false;
    this.#shownBlocks--;
    return true;
  }

  /** Text was shown whose whole block has not come. */
  get isUnfinished(): boolean {
    return this.#shownBlocks > 0;
  }

  /** The answer is given anew. */
  discard(): void {
    this.#shownBlocks = 0;
    this.#isInBlock = false;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
