import { TextDecoder } from "node:util";
import { startThread } from "../../../lib/thread.ts";
import { visibleText } from "./visible-text.ts";

/** A page as text, or what kind it is when it is none. */
type PageText = { type: "text"; text: string } | { type: "binary"; kind: string };

const textTypes =
  /^(text\/|application\/([\w.+-]*\+|x-)?(json|json-seq|jsonl|ndjson|xml|yaml|javascript|ecmascript|toml|sql|sh)\b|image\/svg\+xml)/i;
const htmlTypes = /^(text\/html|application\/xhtml\+xml)/i;
/** Where a page may name its charset. Bytes. */
const CHARSET_SEARCH_BYTES = 1_024;
/** A page that takes the parser longer comes as plain text. Milliseconds. */
const MAX_MARKDOWN_MS = 10_000;
/** More take the parser too long, in any case. */
const MAX_MARKDOWN_ELEMENTS = 20_000;
/** The parser recurses, and takes ever longer for each level. */
const MAX_MARKDOWN_DEPTH = 300;

/** HTML becomes Markdown, or plain text where it has too much markup for that; other text stays as it is. */
export async function pageText(
  body: Buffer,
  contentType: string,
  signal: AbortSignal,
  maxMarkdownMs = MAX_MARKDOWN_MS,
): Promise<PageText> {
  const kind = contentType.split(";")[0]?.trim() ?? "";
  const isHtml = htmlTypes.test(kind) || (kind === "" && /^\s*<(!doctype|html)/i.test(body.toString("latin1", 0, 200)));
  if (!isHtml && !(textTypes.test(kind) || (kind === "" && !body.includes(0)))) return { type: "binary", kind };
  const text = decoded(body, contentType, isHtml);
  return { type: "text", text: isHtml ? await markdown(text, signal, maxMarkdownMs) : text };
}

/** By its mark, else as the server says, else as the page itself does. */
function decoded(body: Buffer, contentType: string, isHtml: boolean): string {
  const head = body.toString("latin1", 0, CHARSET_SEARCH_BYTES);
  const label =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(isHtml ? `${contentType}\n${head}` : contentType)?.[1] ??
    /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return decoder(markOf(body) ?? label ?? "utf-8").decode(body);
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
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

/** What `markdown-worker.mjs` takes and gives. */
type Question = { html: string };
type Answer = { markdown: string };
const WRITER = new URL("./markdown-worker.mjs", import.meta.url);

async function markdown(html: string, signal: AbortSignal, maxMs: number): Promise<string> {
  const { text, elements, depth } = await visibleText(html, signal);
  if (elements > MAX_MARKDOWN_ELEMENTS || depth > MAX_MARKDOWN_DEPTH) return text;
  const thread = startThread<Question, Answer>(WRITER, { maxMs, signal, what: "Reading a page" });
  try {
    const answer = await thread.ask({ html });
    return "markdown" in answer ? answer.markdown : text;
  } finally {
    await thread.close();
  }
}
