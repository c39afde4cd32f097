import type { ApiBlock } from "../api-message.ts";
import { innerBlocks } from "../api-shape.ts";
import { type Draft, setBlocks } from "./draft.ts";

/** The blocks that `wanted` names, oldest first: those inside a tool result follow it. */
export function blocksOf(drafts: readonly Draft[], wanted: (block: ApiBlock) => boolean): ApiBlock[] {
  return drafts.flatMap(({ blocks }) => blocks.flatMap((block) => [block, ...innerBlocks(block)]).filter(wanted));
}

/** Replaces blocks, those inside tool results too. `change` gets the wanted ones in the order of `blocksOf`, with their place in it. */
export function changeBlocks(
  drafts: readonly Draft[],
  wanted: (block: ApiBlock) => boolean,
  change: (block: ApiBlock, index: number) => ApiBlock,
): void {
  let count = 0;
  const changed = (block: ApiBlock) => (wanted(block) ? change(block, count++) : block);
  for (const draft of drafts)
    setBlocks(
      draft,
      draft.blocks.map((block) => changedInside(changed(block), changed)),
    );
}

function changedInside(block: ApiBlock, changed: (block: ApiBlock) => ApiBlock): ApiBlock {
  const given = innerBlocks(block);
  const content = given.map(changed);
  return content.every((inner, index) => inner === given[index]) ? block : { ...block, content };
}
