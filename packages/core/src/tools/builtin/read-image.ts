import { fitImage } from "../../messages/media/fit-image.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { ToolResult } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { markRead, type ReadRequest, textBlock, unchangedResult } from "./read-request.ts";

/** A larger file is not looked into. */
const MAX_IMAGE_FILE_BYTES = 64 * 1024 * 1024;

/** An image as one block, scaled to what any request takes. */
export async function readImageFile(request: ReadRequest): Promise<ToolResult> {
  const { path, context } = request;
  const { signal } = context;
  const file = await context.files.readBytes(path, { signal, maxBytes: MAX_IMAGE_FILE_BYTES });
  const given = { offset: 1 };
  const unchanged = unchangedResult(request, file, given);
  if (unchanged !== undefined) return unchanged;
  const fitted = await fitImage(file.bytes, { signal });
  if (fitted.type === "unusable") return refusal(`${path} is an image that cannot be given: it ${fitted.why}.`);

  markRead(request, file, given, true);
  const { facts, original } = fitted;
  const base64 = fitted.bytes.toString("base64");
  const scaled = `[The image has ${original.width} × ${original.height} pixels and is shown with ${facts.width} × ${facts.height}.]`;
  const isScaled = facts.width !== original.width || facts.height !== original.height;
  return {
    content: [...(isScaled ? [textBlock(scaled)] : []), imageBlock(facts.mediaType, base64)],
    structured: {
      type: "image",
      file: {
        base64,
        type: facts.mediaType,
        originalSize: file.size,
        dimensions: {
          originalWidth: original.width,
          originalHeight: original.height,
          displayWidth: facts.width,
          displayHeight: facts.height,
        },
      },
    },
  };
}

export const imageBlock = (media_type: string, data: string): ContentBlock => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
