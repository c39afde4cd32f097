import { expect, test } from "vitest";
import { gifOf, jpegOf, losslessWebpOf, lossyWebpOf, pngOf, webpOf } from "./image.test-data.ts";
import { readImage } from "./image.ts";

const SMALLEST_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test.each([
  ["a real PNG", SMALLEST_PNG, { mediaType: "image/png", width: 1, height: 1 }],
  ["a PNG", pngOf(640, 480), { mediaType: "image/png", width: 640, height: 480 }],
  ["a GIF", gifOf(640, 480), { mediaType: "image/gif", width: 640, height: 480 }],
  ["a JPEG with metadata in front", jpegOf(640, 480), { mediaType: "image/jpeg", width: 640, height: 480 }],
  ["a WebP", webpOf(640, 480), { mediaType: "image/webp", width: 640, height: 480 }],
  ["a lossy WebP", lossyWebpOf(640, 480), { mediaType: "image/webp", width: 640, height: 480 }],
  ["a lossless WebP", losslessWebpOf(640, 480), { mediaType: "image/webp", width: 640, height: 480 }],
])("the kind and size of %s are read from its head", (_name, data, facts) => {
  expect(readImage(data)).toEqual(facts);
});

test.each([
  ["nothing", ""],
  ["other bytes", "AAAAAAAAAAAA"],
  ["a PNG cut in its head", pngOf(640, 480).slice(0, 16)],
  ["a JPEG cut before its size", jpegOf(640, 480).slice(0, 400)],
  ["an image of no size", pngOf(0, 480)],
])("%s is no image", (_name, data) => {
  expect(readImage(data)).toBeUndefined();
});
