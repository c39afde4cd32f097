import type { ApiBlock, ApiMessage } from "../api-message.ts";
import { isPaused } from "../api-shape.ts";

/** What a repair did, by the rule that asked for it. */
export type Repair = {
  rule: number;
  /** Where, as a path in the messages that were given. */
  at: string;
  did: string;
};

export type Role = ApiMessage["role"];

/** A message under repair. */
export type Draft = {
  /** Its path in what was given. */
  at: string;
  role: Role;
  /** Where its other fields come from; undefined when the repair made it. */
  source: ApiMessage | undefined;
  blocks: ApiBlock[];
  isChanged: boolean;
};

/** What was done so far, and where each block stood. */
export class RepairLog {
  readonly repairs: Repair[] = [];
  readonly #paths = new WeakMap<ApiBlock, string>();

  add(rule: number, at: string, did: string): void {
    this.repairs.push({ rule, at, did });
  }

  /** Remembers where a block stood. */
  place(block: ApiBlock, at: string): void {
    this.#paths.set(block, at);
  }

  placeOf(block: ApiBlock): string {
    return this.#paths.get(block) ?? "messages";
  }

  /** Notes what was done to a block; a block that replaces it stands where it stood. */
  on(block: ApiBlock, rule: number, did: string, replacement?: ApiBlock): void {
    const at = this.placeOf(block);
    this.add(rule, at, did);
    if (replacement !== undefined) this.place(replacement, at);
  }
}

/** Gives a draft new blocks, if they are not the ones it has. */
export function setBlocks(draft: Draft, blocks: ApiBlock[]): void {
  if (blocks.length === draft.blocks.length && blocks.every((block, index) => block === draft.blocks[index])) return;
  draft.blocks = blocks;
  draft.isChanged = true;
}

export const isPausedDraft = (draft: Draft): boolean =>
  draft.role === "assistant" && draft.source !== undefined && isPaused(draft.source, draft.blocks);

export const textBlock = (text: string): ApiBlock => ({ type: "text", text });

/** A message of the user's that the repair made. */
export const mintedUser = (at: string, blocks: ApiBlock[]): Draft => ({
  at,
  role: "user",
  source: undefined,
  blocks,
  isChanged: true,
});

/** The message: the very one that was given when nothing in it changed. */
export function finish(draft: Draft): ApiMessage {
  if (!draft.isChanged && draft.source !== undefined) return draft.source;
  return { ...draft.source, role: draft.role, content: draft.blocks };
}
