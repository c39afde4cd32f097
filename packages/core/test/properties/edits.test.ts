import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { editTool } from "../../src/tools/builtin/edit.ts";
import { createReadTool } from "../../src/tools/builtin/read.ts";
import { type TestContext, testContext } from "../support/file-tool-context.ts";

const readTool = createReadTool();

const SEED = 20_260_102;
const isLong = process.env["PAWL_LONG"] === "1";
const EDITS = isLong ? 100_000 : 400;
const TIMEOUT_MS = isLong ? 3_600_000 : 120_000;

/**
 * The reference works on the bytes of the file: a token is one character or one line ending with its place. It shares
 * nothing with the code under test, which works on decoded text and offsets into a view of it.
 */
type Token = { from: number; to: number; char: string };
type Span = { from: number; to: number };

const words = [
  "a",
  "b",
  "ab",
  "cd",
  "E",
  "7",
  "_",
  "(",
  " ",
  "\t",
  "é",
  "ß",
  "中",
  "😀",
  "👩‍💻",
  '"',
  "'",
  "“",
  "”",
  "’",
  "\rx",
  "$&",
  "\uFEFF",
];
const word = fc.constantFrom(...words);
const line = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(""));

const fileBytes = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    endings: fc.oneof(
      fc.constant(["\n"]),
      fc.constant(["\r\n"]),
      fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 2, maxLength: 8 }),
    ),
    hasBom: fc.boolean(),
    hasFinalEnding: fc.boolean(),
  })
  .map(({ lines, endings, hasBom, hasFinalEnding }) => {
    const isLast = (index: number) => index === lines.length - 1;
    const text = lines.map((content, index) =>
      isLast(index) && !hasFinalEnding ? content : content + endings[index % endings.length],
    );
    return Buffer.from((hasBom ? "\uFEFF" : "") + text.join(""));
  })
  .filter((bytes) => textBytes(bytes).length > 0);

const newText = fc
  .tuple(
    fc.array(fc.array(fc.constantFrom(...words.filter((text) => text !== "\rx")), { maxLength: 4 }), { maxLength: 4 }),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([lines, ending]) => lines.map((parts) => parts.join("")).join(ending));

/** Where in the file the old text is taken from, and how it is given. */
const edit = fc.record({
  start: fc.nat(1_000),
  length: fc.integer({ min: 1, max: 12 }),
  quotes: fc.constantFrom("as they are", "straight"),
  ending: fc.constantFrom("\n", "\r\n"),
  elsewhere: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: line }),
  newText,
  /** Whether the new text is the old one with a piece put into it, so that much of it is unchanged. */
  isInsertion: fc.boolean(),
  replaceAll: fc.boolean(),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

test("an edit changes the bytes of its span and no others; a refused one changes nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  const context = await testContext();
  const outcomes = { exact: 0, tolerant: 0, several: 0, refused: 0 };
  try {
    await fc.assert(
      fc.asyncProperty(fileBytes, edit, async (bytes, wanted) => {
        outcomes[await checkEdit(context, bytes, wanted)]++;
      }),
      { numRuns: EDITS, seed: SEED },
    );
  } finally {
    await context.dispose();
  }
  // Each kind must have been met, or the property says little.
  expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(EDITS / 50);
});

async function checkEdit(context: TestContext, bytes: Buffer, wanted: Edit) {
  const path = join(context.cwd, "file.txt");
  await writeFile(path, bytes, { mode: 0o640 });
  await readTool.run({ file_path: path }, context);
  const before = await stat(path, { bigint: true });
  const tokens = tokensOf(bytes);
  const { oldString, newString } = stringsOf(tokens, wanted);

  const result = await editTool.run(
    { file_path: path, old_string: oldString, new_string: newString, replace_all: wanted.replaceAll },
    context,
  );

  const after = await readFile(path);
  const stats = await stat(path, { bigint: true });
  expect(stats.mode).toBe(before.mode);
  const { starts, isExact } = matchesIn(tokens, oldString);
  const expected = expectedResult(bytes, tokens, starts, { oldString, newString, isExact });
  const isFound = starts.length === 1 || (starts.length > 1 && wanted.replaceAll && isExact);
  const mayApply = oldString !== newString && isFound;
  if (result.isError === true) {
    expect(after).toEqual(bytes);
    expect([stats.mtimeNs, stats.ino]).toEqual([before.mtimeNs, before.ino]);
    // With a place to edit, the only reason is that the file would stay as it is.
    if (mayApply) expect(straight(lfOf(newString))).toBe(straight(lfOf(oldString)));
    return "refused";
  }
  expect(mayApply).toBe(true);
  expectOutsideKept(bytes, after, expected);
  return starts.length > 1 ? "several" : isExact ? "exact" : "tolerant";
}

/** What lies before, between and after the spans, and for each span what may stand in it. */
type Expected = { outside: Buffer[]; inside: { text: string; endings: Set<string>; isExact: boolean }[] };

function expectedResult(
  bytes: Buffer,
  tokens: readonly Token[],
  starts: readonly number[],
  { oldString, newString, isExact }: { oldString: string; newString: string; isExact: boolean },
): Expected {
  const length = [...lfOf(oldString)].length;
  const expected: Expected = { outside: [], inside: [] };
  let free = 0;
  let done = bytes.length - textBytes(bytes).length;
  expected.outside.push(bytes.subarray(0, done));
  for (const start of starts) {
    if (start < free) continue;
    free = start + length;
    const span = { from: tokens[start]?.from ?? bytes.length, to: tokens[free - 1]?.to ?? bytes.length };
    expected.outside.push(Buffer.concat([expected.outside.pop() ?? Buffer.alloc(0), bytes.subarray(done, span.from)]));
    expected.outside.push(Buffer.alloc(0));
    expected.inside.push({ text: lfOf(newString), endings: endingsNear(bytes, tokens, span), isExact });
    done = span.to;
  }
  expected.outside.push(Buffer.concat([expected.outside.pop() ?? Buffer.alloc(0), bytes.subarray(done)]));
  return expected;
}

function expectOutsideKept(bytes: Buffer, after: Buffer, { outside, inside }: Expected): void {
  let at = 0;
  for (const [index, kept] of outside.entries()) {
    expect(after.subarray(at, at + kept.length)).toEqual(kept);
    at += kept.length;
    const span = inside[index];
    if (span === undefined) continue;
    const written = takeSpan(after.subarray(at), span.text);
    expect(written, `${bytes.toString()} -> ${after.toString()}`).not.toBeUndefined();
    const tokens = tokensOf(written ?? Buffer.alloc(0), 0);
    if (span.isExact) expect(tokens.map(({ char }) => char).join("")).toBe(span.text);
    for (const ending of endingsIn(written ?? Buffer.alloc(0), tokens)) expect([...span.endings]).toContain(ending);
    at += written?.length ?? 0;
  }
  expect(at).toBe(after.length);
}

/** The first bytes that read as `text`, quotes and line endings not told apart. */
function takeSpan(bytes: Buffer, text: string): Buffer | undefined {
  const wanted = [...text];
  const tokens = tokensOf(bytes, 0).slice(0, wanted.length);
  const reads = tokens.map(({ char }) => straight(char)).join("");
  return reads === straight(text) ? bytes.subarray(0, tokens.at(-1)?.to ?? 0) : undefined;
}

/** The endings of the lines that a span touches. */
function endingsNear(bytes: Buffer, tokens: readonly Token[], { from, to }: Span): Set<string> {
  const newlines = tokens.filter(({ char }) => char === "\n");
  const own = newlines.filter((token) => token.from >= from && token.to <= to);
  const next = newlines.find((token) => token.from >= to) ?? newlines.at(-1);
  const near = endingsIn(bytes, next === undefined ? own : [...own, next]);
  return new Set(near.length === 0 ? ["\n"] : near);
}

const endingsIn = (bytes: Buffer, tokens: readonly Token[]) =>
  tokens.filter(({ char }) => char === "\n").map(({ from, to }) => bytes.toString("utf8", from, to));

function matchesIn(tokens: readonly Token[], oldString: string): { starts: number[]; isExact: boolean } {
  const exact = startsOf(tokens, [...lfOf(oldString)], (char) => char);
  if (exact.length > 0) return { starts: exact, isExact: true };
  return { starts: startsOf(tokens, [...lfOf(oldString)], straight), isExact: false };
}

function startsOf(tokens: readonly Token[], wanted: readonly string[], fold: (char: string) => string): number[] {
  if (wanted.length === 0) return [];
  return tokens.flatMap((_, start) =>
    wanted.every((char, index) => fold(char) === fold(tokens[start + index]?.char ?? "")) ? [start] : [],
  );
}

function stringsOf(tokens: readonly Token[], wanted: Edit): { oldString: string; newString: string } {
  const start = wanted.start % Math.max(1, tokens.length);
  const taken = tokens.slice(start, start + wanted.length).map(({ char }) => char);
  const quoted = wanted.quotes === "straight" ? taken.map(straight) : taken;
  const old = wanted.elsewhere === null ? quoted.join("") : wanted.elsewhere;
  const half = Math.floor(quoted.length / 2);
  const inserted = [...quoted.slice(0, half), lfOf(wanted.newText), ...quoted.slice(half)].join("");
  // A carriage return at its end would make one ending with a line feed that follows it in the file.
  const made = (wanted.isInsertion ? inserted : wanted.newText).replace(/\r$/, "");
  return {
    oldString: lfOf(old).replaceAll("\n", wanted.ending),
    newString: lfOf(made).replaceAll("\n", wanted.ending),
  };
}

const BOM = Buffer.from("\uFEFF");

/** The bytes after the byte order mark. */
const textBytes = (bytes: Buffer) => (bytes.subarray(0, 3).equals(BOM) ? bytes.subarray(3) : bytes);

function tokensOf(bytes: Buffer, start = bytes.length - textBytes(bytes).length): Token[] {
  const tokens: Token[] = [];
  for (let from = start; from < bytes.length; from = tokens.at(-1)?.to ?? bytes.length) {
    const isCrlf = bytes[from] === 0x0d && bytes[from + 1] === 0x0a;
    const to = from + (isCrlf ? 2 : characterLength(bytes[from] ?? 0));
    tokens.push({ from, to, char: isCrlf ? "\n" : bytes.toString("utf8", from, to) });
  }
  return tokens;
}

function characterLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

const lfOf = (text: string) => text.split("\r\n").join("\n");

const straight = (text: string) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");
