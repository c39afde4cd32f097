import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { type OpenPdf, openPdf } from "./pdf-text.ts";

/** A document of one page. `forms`: what it may draw, `/X0` the first; each may draw the next. */
function onePage(content: string, forms: readonly string[] = []): Buffer {
  const resources = (next: number) =>
    `/Resources<</Font<</F 5 0 R>>${next < forms.length ? `/XObject<</X${next} ${6 + next} 0 R>>` : ""}>>`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R${resources(0)}>>`,
    stream(content),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...forms.map((form, at) => stream(form, `/Type/XObject/Subtype/Form/BBox[0 0 600 800]${resources(at + 1)}`)),
  ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(
    `%PDF-1.4\n${objects.join("")}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF`,
    "latin1",
  );
}

function stream(text: string, entries = ""): string {
  const packed = deflateSync(text).toString("latin1");
  return `<<${entries}/Length ${packed.length}/Filter/FlateDecode>>stream\n${packed}\nendstream`;
}

const line = (text: string) => `BT /F 12 Tf 9 700 Td (${text}) Tj ET`;
/** 3 KB that draw a billion lines: each form draws the next one ten times. */
const billion = onePage(
  "/X0 Do ".repeat(10),
  [1, 2, 3, 4, 5, 6, 7, 8].map((next) => `/X${next} Do `.repeat(10)).concat(line("lol")),
);

async function opened(bytes: Buffer, signal = new AbortController().signal, maxMs?: number): Promise<OpenPdf> {
  const pdf = await openPdf(bytes, signal, maxMs);
  if ("why" in pdf) throw new Error(pdf.why);
  return pdf;
}

test("a document that never ends is given up in time, while everything else goes on", async () => {
  const pdf = await opened(billion, undefined, 3_000);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 50);
  try {
    expect(await pdf.textOf(1)).toBe("(not read: it took more than 3 s)");
    expect(ticks).toBeGreaterThan(5);
    expect(await pdf.textOf(1)).toBe("(not read: it took more than 3 s)");
  } finally {
    clearInterval(ticking);
    await pdf.close();
  }
});

test("one that takes too long to be opened says so", async () => {
  expect(await openPdf(billion, new AbortController().signal, 1)).toEqual({
    why: "could not be read: it took more than 0.001 s.",
  });
});

test("an abort ends the wait for a page, and what is asked afterwards fails as well", async () => {
  const aborting = new AbortController();
  const pdf = await opened(billion, aborting.signal);
  const text = pdf.textOf(1);
  aborting.abort();
  await expect(text).rejects.toMatchObject({ code: "aborted" });
  await pdf.close();
});

test("of a page with endless text the beginning is given", async () => {
  const pdf = await opened(onePage(line("0123456789".repeat(5)).concat(" ").repeat(4_500)));
  const text = await pdf.textOf(1);
  expect(text.endsWith("\n(cut: the page has more than 200000 characters)")).toBe(true);
  expect(text.length).toBeLessThan(200_100);
  await pdf.close();
});
