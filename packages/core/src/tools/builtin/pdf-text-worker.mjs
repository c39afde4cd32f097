// The thread that reads one PDF: its owner ends it when it takes too long, which a function cannot be. Plain JavaScript, because
// a thread is started from a file, and of this one there is the same in the sources and in the built package.
// In: { bytes }, then { page, maxChars } for each page. Out, one for each: { pageCount } | { text, isCut } | { failure }.
import { parentPort } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";

let opened;

parentPort.on("message", async (request) => {
  parentPort.postMessage(await answer(request).catch(failure));
});

async function answer({ bytes, page, maxChars }) {
  if (bytes === undefined) return pageText(await (await opened).getPage(page), maxChars);
  opened = getDocumentProxy(bytes, { verbosity: 0 }); // no warnings on our streams
  return { pageCount: (await opened).numPages };
}

const failure = (error) => ({ failure: { name: String(error?.name), message: String(error?.message ?? error) } });

/** Stops where the page has more than `maxChars`. */
async function pageText(page, maxChars) {
  let text = "";
  const reader = page.streamTextContent().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const { str = "", hasEOL } of part.value.items) text += hasEOL ? `${str}\n` : str;
    if (text.length <= maxChars) continue;
    void reader.cancel(new Error("enough"));
    return { text: text.slice(0, maxChars).toWellFormed().trim(), isCut: true };
  }
  return { text: text.toWellFormed().trim(), isCut: false };
}
