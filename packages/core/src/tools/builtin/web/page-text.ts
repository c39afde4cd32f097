import { TextDecoder } from "node:util";
import { visibleText } from "./visible-text.ts";

/** A page as text, or what kind it is when it is none. */
type PageText = { type: "text"; text: string } | { type: "binary"; kind: string };

const textTypes =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml|javascript|ecmascript|toml|sql|x-sh)\b|image\/svg\+xml)/i;
const htmlTypes = /^(text\/html|application\/xhtml\+xml)/i;
/** Where a page may name its charset. Bytes. */
const CHARSET_SEARCH_BYTES = 1_024;
/** The parser takes a second for so many, and does nothing else meanwhile. */
const MAX_MARKDOWN_ELEMENTS = 20_000;
/** The parser recurses, and takes ever longer for each level. */
const MAX_MARKDOWN_DEPTH = 300;

/** HTML becomes Markdown, or plain text where it has too much markup for that; other text stays as it is. */
export async function pageText(body: Buffer, contentType: string): Promise<PageText> {
  const kind = contentType.split(";")[0]?.trim() ?? "";
  const isHtml = htmlTypes.test(kind) || (kind === "" && /^\s*<(!doctype|html)/i.test(body.toString("latin1", 0, 200)));
  if (!isHtml && !(textTypes.test(kind) || (kind === "" && !body.includes(0)))) return { type: "binary", kind };
  const text = decoded(body, contentType, isHtml);
  return { type: "text", text: isHtml ? await markdown(text) : text };
}

function decoded(body: Buffer, contentType: string, isHtml: boolean): string {
  const head = isHtml ? body.toString("latin1", 0, CHARSET_SEARCH_BYTES) : "";
  const label =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1];
  return decoder(markOf(body) ?? label ?? "utf-8").decode(body);
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined;
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // a charset that nobody knows
  }
}

async function markdown(html: string): Promise<string> {
  const { text, elements, depth } = visibleText(html);
  if (elements > MAX_MARKDOWN_ELEMENTS || depth > MAX_MARKDOWN_DEPTH) return text;
  const [{ default: TurndownService }, { gfm }] = await Promise.all([
    import("turndown"),
    import("@joplin/turndown-plugin-gfm"),
  ]);
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.use(gfm);
  service.remove(["script", "style", "noscript", "iframe", "template", "object", "canvas"]);
  service.addRule("drawing", { filter: (node) => node.nodeName.toLowerCase() === "svg", replacement: () => "" });
  return service.turndown(html);
}
