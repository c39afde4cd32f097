import type { ApiBlock } from "../api-message.ts";
import { innerBlocks, isMedia, isRecord } from "../api-shape.ts";
import type { ContentBlock } from "../message.ts";
import { fromApiBlock, toApiBlock } from "../normalize.ts";
import { mediaLimits } from "../rule-options.ts";
import { type FitOptions, fitImage } from "./fit-image.ts";
import { base64Of, mediaFault, mediaStub } from "./media-fault.ts";

/** `faults`: why media blocks were replaced by a text, one sentence each. */
type FittedMedia = { content: ContentBlock[]; faults: string[] };

/**
 * Content as it may enter a conversation, where it stands in every later request: images brought under the stricter limits, and
 * in the place of media that the API would refuse a text that says why. Blocks that needed nothing are the same objects.
 *
 * Rejects with PawlError `aborted` when the signal aborts, with nothing else.
 */
export async function fitMedia(content: readonly ContentBlock[], options: FitOptions): Promise<FittedMedia> {
  const faults: string[] = [];
  const fitted: ContentBlock[] = [];
  // One after the other: unpacked pictures are large.
  for (const block of content) {
    const before = toApiBlock(block);
    const after = await fitBlock(before, options, faults);
    fitted.push(after === before ? block : fromApiBlock(after));
  }
  return { content: fitted, faults };
}

async function fitBlock(block: ApiBlock, options: FitOptions, faults: string[]): Promise<ApiBlock> {
  const inner = innerBlocks(block);
  if (inner.some(isMedia)) {
    const content: ApiBlock[] = [];
    for (const each of inner) content.push(await fitBlock(each, options, faults));
    return { ...block, content };
  }
  if (!isMedia(block)) return block;
  const stubbed = (why: string) => {
    faults.push(`This ${block.type} ${why}`);
    return mediaStub(block, why);
  };
  const data = base64Of(block);
  if (block.type === "document" || data === undefined) {
    const fault = mediaFault(block, mediaLimits({}));
    return fault === undefined ? block : stubbed(fault.why);
  }
  // Some servers wrap the lines, or give a whole data: address.
  const fitted = await fitImage(Buffer.from(data.replace(/^data:[^,]{0,100},/, ""), "base64"), options);
  if (fitted.type === "unusable") return stubbed(fitted.why);
  const before = isRecord(block["source"]) ? block["source"] : {};
  const source = { ...before, media_type: fitted.facts.mediaType, data: fitted.bytes.toString("base64") };
  return source.data === data && source.media_type === before["media_type"] ? block : { ...block, source };
}
