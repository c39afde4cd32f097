import type { ApiBlock } from "../api-message.ts";
import { longestSidePx, mediaStub } from "../media/media-fault.ts";
import { MANY_IMAGES, MAX_SIDE_AMONG_MANY_PX, mediaLimits, type RuleOptions } from "../rule-options.ts";
import type { Draft, RepairLog } from "./draft.ts";
import { blocksOf, changeBlocks } from "./each-block.ts";

/** Rule 9, for all images together: the oldest give way. What is wrong with one by itself was mended before. */
export function repairMediaCount(drafts: readonly Draft[], options: RuleOptions, log: RepairLog): void {
  const why = tooMany(blocksOf(drafts, isImage), mediaLimits(options).maxImages);
  if (why.size === 0) return;
  changeBlocks(drafts, isImage, (image, index) => {
    const reason = why.get(index);
    return reason === undefined ? image : stubbed(image, 9, reason, log);
  });
}

/** Which images must go, by their place in the list, and why. */
function tooMany(images: readonly ApiBlock[], maxImages: number): Map<number, string> {
  const why = new Map<number, string>();
  for (let index = 0; index < images.length - maxImages; index += 1) why.set(index, `is one of more than ${maxImages}`);
  for (const [index, image] of images.entries()) {
    if (images.length - why.size <= MANY_IMAGES) break;
    if (why.has(index) || longestSidePx(image) <= MAX_SIDE_AMONG_MANY_PX) continue;
    why.set(index, `is over ${MAX_SIDE_AMONG_MANY_PX} pixels a side among more than ${MANY_IMAGES} images`);
  }
  return why;
}

/** A text in the place of a media block. */
export function stubbed(block: ApiBlock, rule: number, why: string, log: RepairLog): ApiBlock {
  const stub = mediaStub(block, why);
  log.on(block, rule, `replaced by a text: it ${why}`, stub);
  return stub;
}

const isImage = ({ type }: ApiBlock): boolean => type === "image";
