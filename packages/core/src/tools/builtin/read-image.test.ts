import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { createReadTool } from "./read.ts";

const readTool = createReadTool();

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#48c" } });

async function readBytes(name: string, bytes: Buffer) {
  await writeFile(join(context.cwd, name), bytes);
  return readTool.run({ file_path: join(context.cwd, name) }, context);
}

test.each(["png", "jpeg", "gif", "webp"] as const)("a %s is shown, whatever its name says", async (format) => {
  const bytes = await picture(60, 40).toFormat(format).toBuffer();
  const base64 = bytes.toString("base64");

  expect(await readBytes("picture.txt", bytes)).toEqual({
    content: [{ type: "image", source: { type: "base64", media_type: `image/${format}`, data: base64 } }],
    structured: {
      type: "image",
      file: {
        base64,
        type: `image/${format}`,
        originalSize: bytes.length,
        dimensions: { originalWidth: 60, originalHeight: 40, displayWidth: 60, displayHeight: 40 },
      },
    },
  });
});

test("an image of 8100 pixels is scaled, and the model is told by how much", async () => {
  const result = await readBytes("tall.png", await picture(90, 8_100).png().toBuffer());

  expect(result.content).toMatchObject([
    { type: "text", text: "[The image has 90 × 8100 pixels and is shown with 22 × 2000.]" },
    { type: "image", source: { media_type: "image/png" } },
  ]);
  expect(result.structured).toMatchObject({
    file: { dimensions: { originalWidth: 90, originalHeight: 8_100, displayWidth: 22, displayHeight: 2_000 } },
  });
});

test("a damaged image is an error that says so, and is not known as read", async () => {
  const whole = await picture(300, 300).png({ compressionLevel: 0 }).toBuffer();
  const result = await readBytes("cut.png", whole.subarray(0, whole.length / 2));

  expect(result).toMatchObject({
    isError: true,
    content: expect.stringMatching(/cut\.png is an image that cannot be given/),
  });
  expect([...context.readState.entries()]).toEqual([]);
});

test("an unchanged image is not sent twice", async () => {
  const bytes = await picture(60, 40).png().toBuffer();
  await readBytes("a.png", bytes);

  expect((await readBytes("a.png", bytes)).content).toMatch(/^File unchanged since last read/);
  expect((await readBytes("a.png", bytes)).content).toMatchObject([{ type: "image" }]);
});
