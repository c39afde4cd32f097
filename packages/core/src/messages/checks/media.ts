import { isMedia } from "../api-shape.ts";
import { longestSidePx, mediaFault } from "../media/media-fault.ts";
import { MANY_IMAGES, MAX_SIDE_AMONG_MANY_PX, mediaLimits, type RuleOptions } from "../rule-options.ts";
import { everyBlock, type Report, type Seen } from "./seen.ts";

/** Rule 9: kind, size and number of images and documents. */
export function checkMedia(messages: readonly Seen[], options: RuleOptions, report: Report): void {
  const media = [...everyBlock(messages)].filter(({ block }) => isMedia(block));
  const limits = mediaLimits(options);
  for (const { at, block } of media) {
    const fault = mediaFault(block, limits);
    if (fault !== undefined) report(9, at, `this ${block.type} ${fault.why}`);
  }
  const images = media.filter(({ block }) => block.type === "image");
  if (images.length > limits.maxImages) {
    report(9, "messages", `${images.length} images, over the limit of ${limits.maxImages}`);
  }
  if (images.length <= MANY_IMAGES) return;
  for (const { at, block } of images) {
    if (longestSidePx(block) > MAX_SIDE_AMONG_MANY_PX) {
      report(9, at, `over ${MAX_SIDE_AMONG_MANY_PX} pixels a side among more than ${MANY_IMAGES} images`);
    }
  }
}
