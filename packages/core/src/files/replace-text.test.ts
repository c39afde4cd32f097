import { expect, test } from "vitest";
import { findMatches, replaceMatches } from "./replace-text.ts";

const replaced = (text: string, oldString: string, newString: string) =>
  replaceMatches(text, findMatches(text, oldString), newString);

test("B28: an LF text matches CRLF lines, and the lines stay CRLF", async () => {
  const text = "if (a) {\r\n\tb();\r\n}\r\nend\r\n";

  expect(await replaced(text, "if (a) {\n\tb();\n}", "if (a) {\n\tb();\n\tc();\n}")).toBe(
    "if (a) {\r\n\tb();\r\n\tc();\r\n}\r\nend\r\n",
  );
});

test("B28: in a file of mixed endings each line keeps its own, and a new line ends as the one it comes into", async () => {
  const text = "one\ntwo\r\nthree\nfour\r\nfive";

  expect(await replaced(text, "two", "two\n2")).toBe("one\ntwo\r\n2\r\nthree\nfour\r\nfive");
  expect(await replaced(text, "one\ntwo\nthree\nfour", "one\ntwo\n3\nfour")).toBe("one\ntwo\r\n3\nfour\r\nfive");
  expect(await replaced(text, "five", "five\nsix")).toBe("one\ntwo\r\nthree\nfour\r\nfive\r\nsix");
  expect(await replaced(text, "two\nthree\n", "")).toBe("one\nfour\r\nfive");
});

test("CRLF in the given strings is the same as LF", async () => {
  expect(await replaced("a\nb\n", "a\r\nb", "a\r\nc")).toBe("a\nc\n");
  expect(await replaced("a\r\nb\r\n", "a\r\nb", "a\r\nc")).toBe("a\r\nc\r\n");
});

test("a lone carriage return is an ordinary character", async () => {
  expect(await replaced("a\rb\r\nc", "a\rb", "a\rx")).toBe("a\rx\r\nc");
});

test("matches that overlap are all counted, and replaced without overlap", async () => {
  const matches = findMatches("aaaa\r\naaa", "aaa");

  expect(matches.spans.map(({ from }) => from)).toEqual([0, 1, 6]);
  expect(await replaceMatches("aaaa\r\naaa", matches, "b")).toBe("ba\r\nb");
});

test("B33: curly quotes in the file are found by straight ones and stay curly where the text is unchanged", async () => {
  const text = "She said “hello” and it’s fine.\r\nEnd “x”\r\n";

  expect(findMatches(text, `"hello" and it's fine`).isExact).toBe(false);
  expect(await replaced(text, `said "hello" and it's fine.\nEnd "x"`, `said "goodbye" and it's good.\nEnd "x"`)).toBe(
    "She said “goodbye” and it’s good.\r\nEnd “x”\r\n",
  );
});

test("B33: quotes of the new text are written exactly as given", async () => {
  expect(await replaced(`const q = /["']/;`, `/["']/`, `/["'“”]/`)).toBe(`const q = /["'“”]/;`);
  expect(await replaced("say “hi”", `say "hi"`, `say "hi" or "ho"`)).toBe(`say “hi” or "ho"`);
});

test("a straight match is preferred to a typographic one", () => {
  expect(findMatches(`“a” "a"`, `"a"`)).toEqual({ wanted: `"a"`, spans: [{ from: 4, to: 7 }], isExact: true });
});

test("an empty text occurs nowhere", () => {
  expect(findMatches("abc", "").spans).toEqual([]);
});

test("composed and decomposed letters find each other, unchanged ones stay as they are, new ones are as given", async () => {
  expect(await replaced("un cafe\u0301 noir", "caf\u00e9 noir", "caf\u00e9 cr\u00e8me")).toBe(
    "un cafe\u0301 cr\u00e8me",
  );
  expect(await replaced("un caf\u00e9 noir", "cafe\u0301 noir", "cafe\u0301 noir!")).toBe("un caf\u00e9 noir!");
  expect(await replaced("\ud55c\uae00 a", "\ud55c\uae00 a".normalize("NFD"), "b")).toBe("b");
});

test("a letter is not found in a part of one with an accent", () => {
  expect(findMatches("\u201ccafe\u0301\u201d", '"cafe').spans).toEqual([]);
  expect(findMatches("\u201ccaf\u00e9\u201d", '"cafe').spans).toEqual([]);
});

test("blanks that do not break are found by plain ones, and stay", async () => {
  expect(await replaced("10\u00a0km \u00e0 pied", "10 km \u00e0", "10 km en")).toBe("10\u00a0km en pied");
});

test("a byte that is no character is found by the sign that stands for it in what was read, and stays", async () => {
  expect(await replaced("a \udce9 b", "a \ufffd b", "a \ufffd c")).toBe("a \udce9 c");
});
