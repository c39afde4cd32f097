import { startThread, type Thread, type ThreadFailure } from "../../lib/thread.ts";

/** Of one document; pages that are not read by then say so. Milliseconds. */
const MAX_TEXT_MS = 60_000;
/** Of one page; a full page of a book has some 3,000. */
const MAX_PAGE_CHARS = 200_000;

export type OpenPdf = {
  pageCount: number;
  /** Of one page, counted from 1; empty when it has none, as a scanned one. */
  textOf(page: number): Promise<string>;
  close(): Promise<void>;
};

/** `why` goes on from the path of the file. */
type UnreadablePdf = { why: string };

/** What `pdf-text-worker.mjs` takes and gives. */
type Question = { bytes: Uint8Array<ArrayBuffer> } | { page: number; maxChars: number };
type Answer = { pageCount: number } | { text: string; isCut: boolean };
const READER = new URL("./pdf-text-worker.mjs", import.meta.url);

/** Opens a document for its text. Rejects with PawlError `aborted` alone. @param maxTextMs see `MAX_TEXT_MS`. */
export async function openPdf(
  bytes: Buffer,
  signal: AbortSignal,
  maxTextMs = MAX_TEXT_MS,
): Promise<OpenPdf | UnreadablePdf> {
  const thread = startThread<Question, Answer>(READER, { maxMs: maxTextMs, signal, what: "Reading a PDF" });
  const opened = await opening(thread, bytes);
  if ("pageCount" in opened) {
    const textOf = async (page: number) => shownText(await thread.ask({ page, maxChars: MAX_PAGE_CHARS }));
    return { pageCount: opened.pageCount, textOf, close: thread.close };
  }
  await thread.close();
  return { why: reasonOf(opened) };
}

async function opening(thread: Thread<Question, Answer>, bytes: Buffer): Promise<Answer | ThreadFailure> {
  try {
    const own = new Uint8Array(bytes); // a copy: it goes over to the thread
    return await thread.ask({ bytes: own }, [own.buffer]);
  } catch (error) {
    await thread.close();
    throw error;
  }
}

function shownText(answer: Answer | ThreadFailure): string {
  if ("failure" in answer) return `(not read: ${answer.failure.message})`;
  if ("pageCount" in answer) return "";
  const { text, isCut } = answer;
  return isCut ? `${text}\n(cut: the page has more than ${MAX_PAGE_CHARS} characters)` : text;
}

function reasonOf(answer: Answer | ThreadFailure): string {
  const { name, message } = "failure" in answer ? answer.failure : { name: "", message: "no answer" };
  if (name === "PasswordException")
    return "is encrypted with a password. Decrypt it first, for example with qpdf --decrypt.";
  if (name === "TimeUp" || name === "TooBig" || name === "Ended") return `could not be read: ${message}.`;
  return `is damaged: ${message}`;
}
