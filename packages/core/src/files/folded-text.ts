/**
 * A text with everything taken as the same that reads the same: typographic and straight quotes, kinds of blanks, composed and
 * decomposed letters, CRLF and LF. For finding a place, never for writing.
 */
export type FoldedText = {
  text: string;
  /** Where each UTF-16 unit of `text`, and its end, lies in the source; -1 inside of what is one character there. */
  offsets: readonly number[];
};

const equals: ReadonlyMap<string, string> = new Map(
  [
    ["\r\n", "\n"],
    ..."\u2018\u2019\u201A\u201B".split("").map((quote) => [quote, "'"] as const),
    ..."\u201C\u201D\u201E\u201F".split("").map((quote) => [quote, '"'] as const),
    ..."\u00A0\u2007\u202F".split("").map((blank) => [blank, " "] as const),
  ].map(([from = "", to = ""]) => [from, to]),
);

export function foldText(source: string): FoldedText {
  let text = "";
  const offsets: number[] = [];
  for (let at = 0; at < source.length; ) {
    const character = characterAt(source, at);
    const folded = character < "\x7f" && character !== "\r\n" ? character : fold(character);
    offsets.push(at);
    for (let unit = 1; unit < folded.length; unit++) offsets.push(-1);
    text += folded;
    at += character.length;
  }
  offsets.push(source.length);
  return { text, offsets };
}

function characterAt(source: string, at: number): string {
  if (source.startsWith("\r\n", at)) return "\r\n";
  return String.fromCodePoint(source.codePointAt(at) ?? 0);
}

/** A byte that is no character is shown to the model as U+FFFD. */
const fold = (character: string) =>
  equals.get(character) ?? (character.isWellFormed() ? character.normalize("NFD") : "\uFFFD");
