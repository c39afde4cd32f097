import type { ClassifierVerdict } from "../permissions/classifier.ts";

/** How mode `auto` goes in this session. */
export type AutoMode = {
  blocksInRow: number;
  blocks: number;
  /** Verdicts of one turn, by call: the same call is not asked about twice. */
  verdicts: Map<string, ClassifierVerdict>;
  /** The turn that the verdicts are of. */
  turn: object | undefined;
};

export const createAutoMode = (): AutoMode => ({ blocksInRow: 0, blocks: 0, verdicts: new Map(), turn: undefined });
