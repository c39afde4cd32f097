import sharp from "sharp";
import { expect, test } from "vitest";
import type { ContentBlock, ToolUseId } from "../message.ts";
import { fromApiBlock, toApiBlock } from "../normalize.ts";
import { violations } from "../violations.ts";
import { fitMedia } from "./fit-media.ts";

const signal = new AbortController().signal;

async function image(width: number, height: number, mediaType = "image/png"): Promise<ContentBlock> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: "#48c" } })
    .png()
    .toBuffer();
  return { type: "image", source: { type: "base64", media_type: mediaType, data: bytes.toString("base64") } };
}

const asRequest = (content: readonly ContentBlock[]) =>
  violations([{ role: "user", content: content.map(toApiBlock) }], { as: "request" });

test("B9: 25 images of every size are a request that the API takes", async () => {
  const given = await Promise.all([
    ...Array.from({ length: 22 }, () => image(40, 30)),
    image(2_200, 300),
    image(300, 8_100),
    image(1_999, 10),
  ]);
  expect(asRequest(given).map(({ rule }) => rule)).toEqual([9, 9, 9]);

  const { content, faults } = await fitMedia(given, { signal });

  expect(asRequest(content)).toEqual([]);
  expect(faults).toEqual([]);
  expect(content.slice(0, 22)).toEqual(given.slice(0, 22));
  expect(content[0]).toBe(given[0]);
});

test("a wrong declared type is put right, inside a tool result and beside unknown fields too", async () => {
  const png = await image(10, 10, "image/jpeg");
  const marked = fromApiBlock({ ...toApiBlock(png), cache_control: { type: "ephemeral" } });
  const result: ContentBlock = { type: "tool_result", tool_use_id: "toolu_1" as ToolUseId, content: [png] };

  const { content } = await fitMedia([marked, result], { signal });

  expect(content.map(toApiBlock)).toMatchObject([
    { type: "image", source: { media_type: "image/png" }, cache_control: { type: "ephemeral" } },
    { type: "tool_result", content: [{ type: "image", source: { media_type: "image/png" } }] },
  ]);
});

test("in the place of what the API would refuse stands a text that says why", async () => {
  const data = Buffer.from("no picture").toString("base64");
  const broken: ContentBlock = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const notPdf: ContentBlock = { type: "document", source: { type: "base64", media_type: "application/pdf", data } };

  const { content, faults } = await fitMedia([{ type: "text", text: "see" }, broken, notPdf], { signal });

  expect(content).toEqual([
    { type: "text", text: "see" },
    { type: "text", text: expect.stringMatching(/^\[image left out, image\/png, .*: it is no PNG, JPEG/) },
    { type: "text", text: expect.stringMatching(/^\[document left out, .*: it is no application\/pdf\]$/) },
  ]);
  expect(faults).toHaveLength(2);
});

test("base64 in lines or as a data: address is put right", async () => {
  const png = await image(10, 10);
  const data = png.type === "image" ? png.source.data : "";
  const as = (text: string): ContentBlock => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data: text },
  });

  const given = [as(data.replace(/.{20}/g, "$&\n")), as(`data:image/png;base64,${data}`)];

  expect(await fitMedia(given, { signal })).toEqual({ content: [png, png], faults: [] });
});

test("a picture that is only named by its address passes", async () => {
  const linked = fromApiBlock({ type: "image", source: { type: "url", url: "https://example.com/a.png" } });

  expect(await fitMedia([linked], { signal })).toEqual({ content: [linked], faults: [] });
});
