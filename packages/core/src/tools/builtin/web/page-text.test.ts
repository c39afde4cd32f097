import { expect, test } from "vitest";
import { pageText } from "./page-text.ts";

test("a page that takes its parser too long comes as plain text, while everything else goes on", async () => {
  const body = Buffer.from(`${"<div>".repeat(299)}deep ${"x ".repeat(1_000_000)}`);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 50);
  const read = await pageText(body, "text/html", new AbortController().signal, 1_500);
  clearInterval(ticking);
  expect(read).toMatchObject({ type: "text", text: expect.stringMatching(/^deep x x/) });
  expect(ticks).toBeGreaterThan(3);
});

test("an abort ends the work on a page at once", async () => {
  const aborting = new AbortController();
  const body = Buffer.from(`${"<div>".repeat(299)}${"x ".repeat(1_000_000)}`);
  const reading = pageText(body, "text/html", aborting.signal);
  setTimeout(() => aborting.abort(), 300);
  await expect(reading).rejects.toThrow();
});

test.each(["application/x-ndjson", "application/json-seq", "application/ld+json", "application/x-sh"])(
  "%s is text",
  async (kind) => {
    const read = await pageText(Buffer.from("{}\n{}"), kind, new AbortController().signal);
    expect(read).toEqual({ type: "text", text: "{}\n{}" });
  },
);
