// The thread that reads a large notebook and takes out the cells that are wanted.
// In: { text, offset, limit, maxBytes }. Out: what `RawNotebook` in notebook-cells.ts says | { failure }.
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ text, ...wanted }) => {
  try {
    parentPort.postMessage(taken(JSON.parse(text), wanted));
  } catch (error) {
    parentPort.postMessage({ failure: { name: "SyntaxError", message: `it is not JSON (${error?.message})` } });
  }
});

function taken(notebook, { offset, limit, maxBytes }) {
  const { metadata, cells, worksheets } = Object(notebook);
  const about = { isNbformat3: Array.isArray(worksheets), metadata };
  if (!Array.isArray(cells)) return { ...about, cells: undefined, count: 0, isCut: false };
  const wanted = cells.slice(offset - 1, offset - 1 + limit);
  let bytes = 0;
  let end = wanted.findIndex((cell) => {
    bytes += JSON.stringify(cell).length;
    return bytes > maxBytes;
  });
  if (end === -1) end = wanted.length;
  const given = wanted.slice(0, Math.max(1, end));
  return { ...about, cells: given, count: cells.length, isCut: given.length < wanted.length };
}
