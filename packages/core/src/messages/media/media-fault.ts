import type { ApiBlock } from "../api-message.ts";
import { isRecord } from "../api-shape.ts";
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE_PX, MAX_PDF_BYTES, type MediaLimits } from "../rule-options.ts";
import { readImage } from "./image.ts";
import { readPdf } from "./pdf.ts";

/** Why the API would refuse an image or a document; `reallyIs` when only the declared type is wrong. */
type MediaFault = { why: string; reallyIs?: string };

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** What is wrong with a media block by itself, or undefined. Sources other than base64 cannot be judged here. */
export function mediaFault(block: ApiBlock, limits: MediaLimits): MediaFault | undefined {
  const { source } = block;
  if (!isRecord(source) || typeof source["type"] !== "string") return { why: "has no source" };
  if (source["type"] !== "base64") return undefined;
  const { media_type: declared, data } = source;
  if (typeof declared !== "string") return { why: "declares no media type" };
  if (typeof data !== "string" || !isBase64(data)) return { why: "is not base64" };
  return block.type === "image" ? imageFault(declared, data) : pdfFault(declared, data, limits);
}

function imageFault(declared: string, data: string): MediaFault | undefined {
  if (data.length > MAX_IMAGE_BYTES) return { why: `is over the limit of ${megabytes(MAX_IMAGE_BYTES)}` };
  const facts = readImage(data);
  if (facts === undefined)
    return { why: `is no ${IMAGE_TYPES.includes(declared) ? declared : IMAGE_TYPES.join(", ")}` };
  if (Math.max(facts.width, facts.height) > MAX_IMAGE_SIDE_PX) {
    return { why: `is ${facts.width} × ${facts.height} pixels, over the limit of ${MAX_IMAGE_SIDE_PX} a side` };
  }
  if (facts.mediaType === declared) return undefined;
  return { why: `is ${facts.mediaType}, not ${declared}`, reallyIs: facts.mediaType };
}

function pdfFault(declared: string, data: string, { maxPdfPages }: MediaLimits): MediaFault | undefined {
  if (declared !== "application/pdf") return { why: `is ${declared}, not application/pdf` };
  if (data.length > MAX_PDF_BYTES) return { why: `is over the limit of ${megabytes(MAX_PDF_BYTES)}` };
  const facts = readPdf(data);
  if (facts === undefined) return { why: "is no application/pdf" };
  if (facts.pages === undefined || facts.pages <= maxPdfPages) return undefined;
  return { why: `has ${facts.pages} pages, over the limit of ${maxPdfPages}` };
}

/** The longest side in pixels, 0 when it cannot be told. */
export function longestSidePx(block: ApiBlock): number {
  const data = base64Of(block);
  const facts = block.type === "image" && data !== undefined ? readImage(data) : undefined;
  return facts === undefined ? 0 : Math.max(facts.width, facts.height);
}

export function base64Of(block: ApiBlock): string | undefined {
  const { source } = block;
  if (!isRecord(source) || source["type"] !== "base64") return undefined;
  return typeof source["data"] === "string" ? source["data"] : undefined;
}

/** The text that stands in for a media block: what was there and why it is not. */
export function mediaStub(block: ApiBlock, why: string): ApiBlock {
  const declared = isRecord(block["source"]) ? block["source"]["media_type"] : undefined;
  const title = typeof block["title"] === "string" ? ` "${block["title"].toWellFormed()}"` : "";
  const kind = typeof declared === "string" ? `, ${declared.toWellFormed()}` : "";
  const size = base64Of(block)?.length;
  const bytes = size === undefined ? "" : `, ${megabytes(size)}`;
  return { type: "text", text: `[${block.type}${title} left out${kind}${bytes}: it ${why}]` };
}

const isBase64 = (data: string): boolean =>
  data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
