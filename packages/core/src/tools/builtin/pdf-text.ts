import { untilAborted } from "../../lib/abort.ts";
import { messageOf } from "../../lib/error.ts";

/** Of one document; pages that are not read by then say so. Milliseconds. */
const MAX_TEXT_MS = 60_000;

export type OpenPdf = {
  pageCount: number;
  /** Of one page, counted from 1; empty when it has none, as a scanned one. */
  textOf(page: number): Promise<string>;
  close(): Promise<void>;
};

/** `why` goes on from the path of the file. */
type UnreadablePdf = { why: string };

/** Opens a document for its text. Rejects with PawlError `aborted` alone. */
export async function openPdf(bytes: Buffer, signal: AbortSignal): Promise<OpenPdf | UnreadablePdf> {
  const { getDocumentProxy } = await import("unpdf");
  const endMs = performance.now() + MAX_TEXT_MS;
  try {
    // A copy: the reader takes its bytes away from whoever gave them. No warnings on our streams.
    const opening = getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const document = await untilAborted(opening, signal, "Reading a PDF");
    return {
      pageCount: document.numPages,
      async textOf(page) {
        if (performance.now() > endMs) return `(not read: the document took more than ${MAX_TEXT_MS / 1000} s)`;
        return untilAborted(pageText(await document.getPage(page)), signal, "Reading a PDF");
      },
      close: () => document.destroy(),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "PasswordException") {
    return "is encrypted with a password. Decrypt it first, for example with qpdf --decrypt.";
  }
  return `is damaged: ${messageOf(error)}`;
}

type Page = { getTextContent(): Promise<{ items: readonly object[] }> };

async function pageText(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  let text = "";
  for (const item of items) {
    if ("str" in item) text += String(item.str);
    if ("hasEOL" in item && item.hasEOL === true) text += "\n";
  }
  return text.toWellFormed().trim();
}
