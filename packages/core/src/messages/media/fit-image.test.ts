import sharp from "sharp";
import { expect, test } from "vitest";
import { type FitOptions, fitImage } from "./fit-image.ts";
import { pngOf } from "./image.test-data.ts";

const signal = new AbortController().signal;
const options: FitOptions = { signal };
const withoutSharp: FitOptions = { signal, loadSharp: async () => undefined };

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "#48c" } });

/** Pixels that no format can compress, the same in each run. */
function noise(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  let seed = 20_260_103;
  for (let at = 0; at < pixels.length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = seed >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function fitted(bytes: Buffer, given = options) {
  const result = await fitImage(bytes, given);
  if (result.type !== "fits") throw new Error(result.why);
  return result;
}

test.each(["png", "jpeg", "gif", "webp"] as const)("a small %s passes byte for byte", async (format) => {
  const bytes = await plain(640, 480).toFormat(format).toBuffer();

  const { bytes: out, facts } = await fitted(bytes);

  expect(out).toBe(bytes);
  expect(facts).toEqual({ mediaType: `image/${format}`, width: 640, height: 480 });
});

test.each([
  ["an 8100-pixel picture", 8_100, 90, 2_000, 22],
  ["one that is too large only among many", 2_200, 300, 2_000, 273],
])("B9: %s is scaled to the limit for many images", async (_name, width, height, toWidth, toHeight) => {
  const { facts, original } = await fitted(await plain(width, height).png().toBuffer());

  expect(facts).toEqual({ mediaType: "image/png", width: toWidth, height: toHeight });
  expect(original).toMatchObject({ width, height });
});

test("B9: a picture of 6 MB becomes a JPEG of at most 500 KB", async () => {
  const png = await noise(1_600, 1_400).png({ compressionLevel: 0 }).toBuffer();
  expect(png.length).toBeGreaterThan(6_000_000);

  const { bytes, facts } = await fitted(png);

  expect(facts).toEqual({ mediaType: "image/jpeg", width: 1_600, height: 1_400 });
  expect(bytes.length).toBeLessThanOrEqual(500 * 1024);
});

test("a photo that lies on its side is turned upright", async () => {
  const lying = await plain(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();

  expect((await fitted(lying)).facts).toEqual({ mediaType: "image/jpeg", width: 200, height: 300 });
});

test("of an animation that is too large the first frame is given", async () => {
  const frame = async (color: string) =>
    sharp({ create: { width: 2_100, height: 20, channels: 3, background: color } })
      .png()
      .toBuffer();
  const frames = [await frame("#f00"), await frame("#00f")];
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();

  const { bytes, facts } = await fitted(gif);

  expect(facts).toEqual({ mediaType: "image/png", width: 2_000, height: 19 });
  const { dominant } = await sharp(bytes).stats();
  expect(dominant.r).toBeGreaterThan(200);
});

test.each([
  ["a PNG cut in half", async () => half(await noise(200, 200).png().toBuffer())],
  ["a JPEG cut in half", async () => half(await noise(200, 200).jpeg().toBuffer())],
  ["a WebP cut in half", async () => half(await noise(200, 200).webp({ lossless: true }).toBuffer())],
  ["a PNG with its middle overwritten", async () => overwritten(await noise(200, 200).png().toBuffer())],
  ["a large one cut in half", async () => half(await noise(2_500, 300).png().toBuffer())],
  ["nothing but a head", async () => Buffer.from(pngOf(640, 480), "base64")],
  ["a head that claims 100,000 × 100,000 pixels", async () => Buffer.from(pngOf(100_000, 100_000), "base64")],
])("%s is unusable and says why", async (_name, make) => {
  expect(await fitImage(await make(), options)).toEqual({
    type: "unusable",
    why: expect.stringMatching(/^cannot be unpacked \(.+\): the file is damaged or too large$/),
  });
});

test("other bytes are no image", async () => {
  expect(await fitImage(Buffer.from("hello"), options)).toMatchObject({
    why: expect.stringMatching(/^is no PNG, JPEG/),
  });
});

test("without sharp what is within the limits passes, the rest says what to install", async () => {
  const small = await plain(640, 480).png().toBuffer();
  const wide = await plain(2_001, 10).png().toBuffer();

  expect((await fitted(small, withoutSharp)).bytes).toBe(small);
  expect(await fitImage(wide, withoutSharp)).toEqual({
    type: "unusable",
    why: expect.stringMatching(/^has 2001 × 10 pixels .* run npm install sharp/),
  });
});

test("an abort ends the wait at once", async () => {
  const png = await plain(4_000, 4_000).png({ compressionLevel: 1 }).toBuffer();
  const aborting = new AbortController();

  const fitting = fitImage(png, { signal: aborting.signal });
  aborting.abort();

  await expect(fitting).rejects.toMatchObject({ code: "aborted" });
});

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
const overwritten = (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  return copy.fill(0xaa, middle, middle + 200);
};
