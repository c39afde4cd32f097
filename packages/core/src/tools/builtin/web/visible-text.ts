import { setImmediate } from "node:timers/promises";

/** What a page shows, without its markup, and how much markup there is. */
type VisibleText = {
  text: string;
  /** Opening tags. */
  elements: number;
  /** Elements inside of each other, at most. */
  depth: number;
};

/** Nothing in them is shown. With what begins their end. */
const hidden: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "noscript", "iframe", "template", "object", "svg"].map((name) => [
    name,
    new RegExp(`</${name}`, "gi"),
  ]),
);
/** They stand within a line; every other tag ends it. */
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u var".split(
    " ",
  ),
);
/** Their end may be left out, or they have none: they say nothing of depth. */
const unclosed: ReadonlySet<string> = new Set(
  "area base br col colgroup dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr track wbr".split(
    " ",
  ),
);

const TAG = /<(?:(!--)|[!?]|(\/?)([a-z][a-z0-9-]*))/gi;
const COMMENT_END = /-->/g;
const TAG_END = />/g;

/** Of a big page, others have their turn after so many milliseconds. */
const TURN_MS = 20;

/**
 * In one pass, whatever the page holds: what takes a parser minutes takes this no longer than any other page of that size.
 *
 * @throws what the signal says when it aborts.
 */
export async function visibleText(html: string, signal: AbortSignal): Promise<VisibleText> {
  const parts: string[] = [];
  const seen = { elements: 0, depth: 0, open: 0 };
  let end = 0;
  let turnEndMs = performance.now() + TURN_MS;
  for (let tag = nextTag(html, end); tag !== undefined; tag = nextTag(html, end)) {
    parts.push(html.slice(end, tag.start), tag.between);
    end = tag.end;
    count(tag, seen);
    if (performance.now() < turnEndMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    turnEndMs = performance.now() + TURN_MS;
  }
  parts.push(html.slice(end));
  const text = unescaped(parts.join(""));
  return { text: text.replaceAll(/\s+/g, blank).trim(), elements: seen.elements, depth: seen.depth };
}

/** A run of blanks counts as one; of line ends as one, or as an empty line. */
function blank(run: string): string {
  const first = run.indexOf("\n");
  if (first === -1) return " ";
  return run.includes("\n", first + 1) ? "\n\n" : "\n";
}

type Tag = { name: string; isClosing: boolean; start: number; end: number; between: string };

/** The next tag or comment, to the end of what it hides; `between` stands in its place. */
function nextTag(html: string, from: number): Tag | undefined {
  TAG.lastIndex = from;
  const found = TAG.exec(html);
  if (found === null) return undefined;
  const start = found.index;
  const [, comment, slash = "", word] = found;
  if (comment !== undefined) return { ...noTag, start, end: endOf(COMMENT_END, html, start + comment.length) };
  const end = endOf(TAG_END, html, start);
  if (word === undefined) return { ...noTag, start, end };
  const name = word.toLowerCase();
  const hiddenEnd = slash === "" ? hidden.get(name) : undefined;
  if (hiddenEnd !== undefined) return { ...noTag, start, end: endOf(TAG_END, html, endOf(hiddenEnd, html, end)) };
  return { name, isClosing: slash !== "", start, end, between: inline.has(name) ? "" : "\n" };
}

const noTag = { name: "", isClosing: false, between: "" };

/** Right after the next `mark`, or the end of the text. */
function endOf(mark: RegExp, text: string, from: number): number {
  mark.lastIndex = from;
  return mark.exec(text) === null ? text.length : mark.lastIndex;
}

function count({ name, isClosing }: Tag, seen: { elements: number; depth: number; open: number }): void {
  if (name === "") return;
  if (!isClosing) seen.elements += 1;
  if (unclosed.has(name)) return;
  seen.open = Math.max(0, seen.open + (isClosing ? -1 : 1));
  seen.depth = Math.max(seen.depth, seen.open);
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
