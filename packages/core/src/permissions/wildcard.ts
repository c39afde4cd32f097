/** One piece of a pattern: any run of items, also an empty one, or a test of one item. */
export type Piece<Item> = "any" | ((item: Item) => boolean);

/** Whether the pieces match all items. At most pieces × items steps, whatever the pattern. */
export function matchesPieces<Item>(pieces: readonly Piece<Item>[], items: ArrayLike<Item>): boolean {
  let piece = 0;
  let item = 0;
  let lastAny = -1;
  let resumeAt = 0;
  while (item < items.length) {
    const test = pieces[piece];
    const current = items[item];
    if (test === "any") {
      lastAny = piece++;
      resumeAt = item;
    } else if (test !== undefined && current !== undefined && test(current)) {
      piece++;
      item++;
    } else if (lastAny >= 0) {
      piece = lastAny + 1;
      item = ++resumeAt;
    } else return false;
  }
  while (pieces[piece] === "any") piece++;
  return piece === pieces.length;
}

/** `*` stands for any characters, everything else for itself. */
export const matchesWildcard = (pattern: string, text: string): boolean => wildcardTest(pattern)(text);

/** `matchesWildcard` of one pattern, for many texts. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  return last === undefined ? (text) => text === pattern : (text) => isMadeOf(first, middle, last, text);
}

/** Whether a text begins with `first`, ends with `last`, and has the others between them, in their order. */
function isMadeOf(first: string, middle: readonly string[], last: string, text: string): boolean {
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const literal of middle) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return at <= text.length - last.length;
}
