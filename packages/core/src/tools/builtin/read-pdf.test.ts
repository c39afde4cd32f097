import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import type { ContentBlock } from "../../messages/message.ts";
import { localShell } from "../../shell/run.ts";
import type { ToolResult } from "../tool.ts";
import { createReadTool } from "./read.ts";

const readTool = createReadTool();

const hasRenderer = spawnSync("pdftoppm", ["-v"]).error === undefined;
if (!hasRenderer) console.warn("Skipped: pdftoppm is missing (Debian: poppler-utils), so no page can be rendered.");

let context: TestContext;
let emptyPath: string;
/** Without any program to find. */
const blind = () => ({ ...context, shell: localShell({ env: { PATH: emptyPath } }) });

beforeEach(async () => {
  emptyPath = await mkdtemp(join(tmpdir(), "pawl-empty-"));
  context = await testContext({ shell: localShell({ env: process.env }) });
});
afterEach(async () => {
  await context.dispose();
  await rm(emptyPath, { recursive: true });
});

const at = (name: string) => join(context.cwd, name);

async function pdfOf(pageCount: number, text = (page: number) => `Text of page ${page}`): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= pageCount; page++) {
    const drawn = text(page);
    document.addPage([400, 300]).drawText(drawn, { x: 20, y: 250, font, size: 12, lineHeight: 14 });
  }
  return Buffer.from(await document.save({ addDefaultPage: false }));
}

async function readPdf(bytes: Buffer | string, pages?: string, given = context): Promise<ToolResult> {
  await writeFile(at("a.pdf"), bytes);
  return readTool.run({ file_path: at("a.pdf"), ...(pages === undefined ? {} : { pages }) }, given);
}

const kindsOf = ({ content }: ToolResult) => (content as ContentBlock[]).map(({ type }) => type);
const textsOf = ({ content }: ToolResult) =>
  (content as ContentBlock[]).flatMap((block) => (block.type === "text" ? [block.text] : []));

test("B9: without a renderer the text of each page is given, and what to install", async () => {
  const bytes = await pdfOf(2);

  const result = await readPdf(bytes, undefined, blind());

  expect(textsOf(result)).toEqual([
    "[Page 1 of 2]\nText of page 1",
    "[Page 2 of 2]\nText of page 2",
    expect.stringContaining("pdftoppm, of the package poppler-utils, is not installed"),
  ]);
  expect(result.structured).toEqual({
    type: "pdf",
    file: { filePath: at("a.pdf"), base64: bytes.toString("base64"), originalSize: bytes.length },
  });
});

test.skipIf(!hasRenderer)("each page comes with its picture, which stays beside the session", async () => {
  const result = await readPdf(await pdfOf(12), "9-11");

  expect(kindsOf(result)).toEqual(["text", "image", "text", "image", "text", "image"]);
  expect(textsOf(result)[0]).toBe("[Page 9 of 12]\nText of page 9");
  const structured = result.structured as { type: string; file: { count: number; outputDir: string } };
  expect(structured).toMatchObject({ type: "parts", file: { filePath: at("a.pdf"), count: 3 } });
  const stored = await readdir(structured.file.outputDir);
  expect(stored.filter((name) => name.endsWith(".jpg"))).toHaveLength(3);
});

describe("pages", () => {
  test.each([
    [undefined, "the PDF has 30 pages, too many to be read at once"],
    ["1-21", 'pages "1-21" are 21; at most 20 are given a call'],
    ["31", "the PDF has 30 pages; page 31 is past its end"],
    ["0", 'pages is "0"; write a page such as "3"'],
    ["5-2", 'pages is "5-2"'],
    ["all", 'pages is "all"'],
  ])("%s of 30 is an error that says how to ask", async (pages, text) => {
    expect(await readPdf(await pdfOf(30), pages, blind())).toMatchObject({
      isError: true,
      content: expect.stringContaining(text),
    });
  });

  test("a range that reaches past the end gives what there is, one page is enough", async () => {
    const bytes = await pdfOf(30);

    expect(textsOf(await readPdf(bytes, "29-40", blind())).filter((text) => text.startsWith("[Page"))).toHaveLength(2);
    expect(textsOf(await readPdf(bytes, " 3 ", blind()))[0]).toBe("[Page 3 of 30]\nText of page 3");
  });

  test("lines of a PDF are an error", async () => {
    await writeFile(at("a.pdf"), await pdfOf(1));
    expect((await readTool.run({ file_path: at("a.pdf"), offset: 1 }, context)).content).toContain("give pages");
  });
});

test("more text than fits gives the first pages and says where to go on; a read in full is known", async () => {
  const small = createReadTool({ maxTokens: 100 });
  await writeFile(at("long.pdf"), await pdfOf(3, (page) => `${page}`.repeat(40).concat("\n").repeat(4)));

  const result = await small.run({ file_path: at("long.pdf") }, blind());

  expect(textsOf(result)[2]).toContain(
    'PARTIAL view: the text is too long to be given at once. Shown: pages 1 to 2. Go on with pages "3-3".',
  );
  expect(context.readState.get(at("long.pdf"))).toBeUndefined();
  await readTool.run({ file_path: at("long.pdf") }, blind());
  expect(context.readState.get(at("long.pdf"))).toMatchObject({ isWhole: true });
  expect((await readTool.run({ file_path: at("long.pdf") }, blind())).content).toMatch(
    /^File unchanged since last read/,
  );
});

const ENCRYPTED = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
4 0 obj<</Filter/Standard/V 1/R 2/O<${"41".repeat(32)}>/U<${"42".repeat(32)}>/P -44>>endobj
trailer<</Size 5/Root 1 0 R/Encrypt 4 0 R/ID[<${"0".repeat(32)}><${"0".repeat(32)}>]>>
%%EOF`;

test.each([
  ["a damaged PDF", async () => "%PDF-1.7\ngarbage", "is damaged: Invalid PDF structure"],
  ["half a PDF", async () => (await pdfOf(3)).subarray(0, 600), "is damaged"],
  ["an encrypted PDF", async () => ENCRYPTED, "is encrypted with a password"],
  ["a PDF without pages", async () => pdfOf(0), "the PDF has no pages"],
])("%s is a clear error", async (_name, make, text) => {
  expect(await readPdf(await make(), undefined, blind())).toMatchObject({
    isError: true,
    content: expect.stringContaining(text),
  });
});
