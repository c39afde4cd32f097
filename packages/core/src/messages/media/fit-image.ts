import type sharp from "sharp";
import type { Sharp } from "sharp";
import { untilAborted } from "../../lib/abort.ts";
import { messageOf } from "../../lib/error.ts";
import { MAX_IMAGE_BYTES, MAX_SIDE_AMONG_MANY_PX } from "../rule-options.ts";
import { type ImageFacts, readImageBytes } from "./image.ts";

/** The stricter limit holds from the start: a later request may hold many images, and this one is in all of them. */
const MAX_SIDE_PX = MAX_SIDE_AMONG_MANY_PX;
/** A larger image becomes a JPEG, so that as many as a request may hold also fit into its body. Bytes. */
const MAX_BYTES = 500 * 1024;
/** Of the API's limit, before base64 makes three bytes four. */
const MAX_UNSCALED_BYTES = (MAX_IMAGE_BYTES / 4) * 3;
/** Tried in order until the image is small enough. */
const JPEG_QUALITIES = [80, 60, 40, 20];
const MAX_ENCODE_SECONDS = 20;
/** A picture of more pixels is not unpacked. */
const MAX_INPUT_PIXELS = 300_000_000;

type FittedImage =
  | { type: "fits"; bytes: Buffer; facts: ImageFacts; original: ImageFacts }
  /** `why` goes on from "it". */
  | { type: "unusable"; why: string };

/** The package's one function. */
type OpenImage = typeof sharp;

export type FitOptions = { signal: AbortSignal; loadSharp?: () => Promise<OpenImage | undefined> };

/**
 * Makes of a PNG, JPEG, GIF or WebP one that any later request takes: at most 2,000 pixels a side, at most about 500 KB, upright,
 * readable to its end. One that is so already comes back as it is. Without the optional package sharp nothing can be scaled
 * or looked into: what is within the limits by its header then passes, the rest is unusable.
 *
 * Rejects with PawlError `aborted` when the signal aborts, with nothing else.
 */
export async function fitImage(bytes: Buffer, { signal, loadSharp = importSharp }: FitOptions): Promise<FittedImage> {
  const original = readImageBytes(bytes);
  if (original === undefined) return { type: "unusable", why: "is no PNG, JPEG, GIF or WebP, or its head is damaged" };
  const sharp = await loadSharp();
  if (sharp === undefined) return unscaled(bytes, original);
  return untilAborted(scaled(sharp, bytes, original), signal, "Scaling an image");
}

async function importSharp(): Promise<OpenImage | undefined> {
  try {
    return (await import("sharp")).default;
  } catch {
    return undefined; // not installed, or none for this platform
  }
}

function unscaled(bytes: Buffer, original: ImageFacts): FittedImage {
  const { width, height } = original;
  const isSmall = Math.max(width, height) <= MAX_SIDE_PX && bytes.length <= MAX_UNSCALED_BYTES;
  if (isSmall) return { type: "fits", bytes, facts: original, original };
  const size = `${width} × ${height} pixels and ${Math.ceil(bytes.length / 1024)} KB`;
  const limit = `${MAX_SIDE_PX} a side and ${Math.floor(MAX_UNSCALED_BYTES / 1024)} KB`;
  const fix = "The package sharp scales images and is not installed: run npm install sharp, or make the image smaller";
  return { type: "unusable", why: `has ${size}, more than ${limit}. ${fix}` };
}

async function scaled(sharp: OpenImage, bytes: Buffer, original: ImageFacts): Promise<FittedImage> {
  // Many sound files have something to warn of.
  const reading = { limitInputPixels: MAX_INPUT_PIXELS, failOn: "error" } as const;
  const open = () => sharp(bytes, reading).timeout({ seconds: MAX_ENCODE_SECONDS });
  try {
    const { orientation = 1 } = await open().metadata();
    const isLarge = Math.max(original.width, original.height) > MAX_SIDE_PX;
    if (!isLarge && orientation === 1 && bytes.length <= MAX_BYTES) {
      await open().raw().toBuffer(); // only its pixels show whether it is whole
      return { type: "fits", bytes, facts: original, original };
    }
    return fitsAs(await encoded(() => upright(open()), original, isLarge || orientation !== 1), original);
  } catch (error) {
    const [what = ""] = messageOf(error).split("\n");
    return {
      type: "unusable",
      why: `cannot be unpacked (${what.replace(/:?\s*$/, "")}): the file is damaged or too large`,
    };
  }
}

const upright = (image: Sharp) =>
  image.autoOrient().resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: "inside", withoutEnlargement: true });

/** In its own format if that is small enough; of an animation the first frame. */
async function encoded(open: () => Sharp, { mediaType }: ImageFacts, keepsFormat: boolean): Promise<Buffer> {
  if (keepsFormat) {
    const own = await inOwnFormat(open(), mediaType).toBuffer();
    if (own.length <= MAX_BYTES) return own;
  }
  let jpeg = Buffer.alloc(0);
  for (const quality of JPEG_QUALITIES) {
    jpeg = await open().flatten({ background: "white" }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= MAX_BYTES) break;
  }
  return jpeg;
}

function inOwnFormat(image: Sharp, mediaType: string): Sharp {
  if (mediaType === "image/jpeg") return image.jpeg();
  return mediaType === "image/webp" ? image.webp() : image.png();
}

function fitsAs(bytes: Buffer, original: ImageFacts): FittedImage {
  const facts = readImageBytes(bytes);
  if (facts === undefined) throw new Error("the scaled image has no size");
  return { type: "fits", bytes, facts, original };
}
