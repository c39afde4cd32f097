// The thread that turns one page into Markdown: a page can be made so that it takes a parser minutes, and then its owner ends it.
// In: { html }. Out: { markdown } | { failure }.
import { parentPort } from "node:worker_threads";
import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";

parentPort.on("message", ({ html }) => {
  try {
    parentPort.postMessage({ markdown: service().turndown(html) });
  } catch (error) {
    parentPort.postMessage({ failure: { name: String(error?.name), message: String(error?.message ?? error) } });
  }
});

function service() {
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.use(gfm);
  turndown.remove(["script", "style", "noscript", "iframe", "template", "object", "canvas"]);
  turndown.addRule("drawing", { filter: (node) => node.nodeName.toLowerCase() === "svg", replacement: () => "" });
  turndown.addRule("inline-image", { filter: isInlineImage, replacement: (_content, node) => imageText(node) });
  return turndown;
}

/** The picture itself stands in the address: letters that nobody can read. */
const isInlineImage = (node) => node.nodeName === "IMG" && /^\s*data:/i.test(node.getAttribute("src") ?? "");

function imageText(node) {
  const alt = (node.getAttribute("alt") ?? "").trim();
  return alt === "" ? "" : `![${alt.replaceAll(/\s+/g, " ")}]()`;
}
