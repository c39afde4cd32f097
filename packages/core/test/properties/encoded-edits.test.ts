import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPatchTool } from "../../src/tools/builtin/apply-patch.ts";
import { editTool } from "../../src/tools/builtin/edit.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { type Random, seededRandom } from "../permissions/random.ts";
import { type TestContext, testContext } from "../support/file-tool-context.ts";
import { encodings, type ReferenceEncoding } from "./reference-encodings.ts";

const SEED = 20_261_201;
const isLong = process.env["PAWL_LONG"] === "1";
const ROUNDS = isLong ? 100_000 : 250;
const TIMEOUT_MS = isLong ? 7_200_000 : 120_000;

/** A character or line ending of the file, or a byte that is none, with its bytes. `text`: as the model sees it. */
type Token = { text: string; bytes: Buffer; isBroken?: true };
type Line = Token[];

type Case = {
  encoding: ReferenceEncoding;
  lines: Line[];
  bom: Buffer;
  /** The line that holds a word which the file holds nowhere else. */
  marked: number;
};

/** What is replaced by what, in bytes of the file. */
type Change = { from: number; to: number; text: string; run(path: string): Promise<ToolResult> };

const MARK = "K7";

test("over all encodings an edit or a patch changes the bytes of its span and no others; a refused one changes nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = seededRandom(SEED);
  const context = await testContext();
  const count = { legal: 0, done: 0, misread: 0, unencodable: 0 };
  try {
    for (let round = 0; round < ROUNDS; round++) await check(random, context, count, `seed ${SEED}, round ${round}`);
  } finally {
    await context.dispose();
  }
  if (isLong) console.info(JSON.stringify(count));
  expect(count.done / count.legal).toBeGreaterThan(0.9);
  // What is written in an encoding that was guessed wrong.
  expect(count.misread / count.legal).toBeLessThan(0.001);
  expect(count.unencodable).toBeGreaterThan(ROUNDS / 50);
});

const utf8 = encodings.find(({ name }) => name === "utf-8") ?? encodings[0];

type Count = { legal: number; done: number; misread: number; unencodable: number };

async function check(random: Random, context: TestContext, count: Count, where: string): Promise<void> {
  const file = makeCase(random);
  const { encoding } = file;
  const path = join(context.cwd, "file.txt");
  const before = bytesOf(file);
  await writeFile(path, before, { mode: 0o640 });
  await learn(path, context);
  const stats = await stat(path, { bigint: true });
  const change = random.chance(0.5) ? makeEdit(random, file, context) : makePatch(random, file, context);
  const isEncodable = [...change.text].every((character) => encoding.bytesOf(character) !== undefined);

  const result = await change.run(path);

  const after = await readFile(path);
  if (isEncodable) count.legal++;
  else count.unencodable++;
  if (result.isError === true) {
    const now = await stat(path, { bigint: true });
    expect([after.equals(before), now.mtimeNs, now.ino, now.mode], where).toEqual([
      true,
      stats.mtimeNs,
      stats.ino,
      stats.mode,
    ]);
    return;
  }
  const tail = before.length - change.to;
  const isOutsideKept =
    after.subarray(0, change.from).equals(before.subarray(0, change.from)) &&
    after.subarray(after.length - tail).equals(before.subarray(change.to)) &&
    after.length >= change.from + tail;
  expect(isOutsideKept, `${where}: ${encoding.name} ${before.toString("hex")} -> ${after.toString("hex")}`).toBe(true);
  if (isEncodable) count.done++;
  // A file of ASCII alone is UTF-8 from the first other character on.
  const target = before.every((byte) => byte > 0 && byte < 0x80) ? utf8 : encoding;
  if (!reads(target, after.subarray(change.from, after.length - tail), change.text)) count.misread++;
}

function reads(encoding: ReferenceEncoding | undefined, bytes: Buffer, text: string): boolean {
  try {
    return encoding?.textOf(bytes).replaceAll("\r\n", "\n") === text;
  } catch {
    return false;
  }
}

async function learn(path: string, { files, readState, signal }: TestContext): Promise<void> {
  const { hash, mtimeMs, size } = await files.readText(path, { signal, maxBytes: 1_000_000 });
  readState.set(path, { hash, mtimeMs, size, isWhole: true });
}

function makeCase(random: Random): Case {
  const encoding = random.pick(encodings);
  const endings = random.pick([["\n"], ["\r\n"], ["\n", "\r\n"]]);
  const marked = random.below(8);
  const lines = Array.from({ length: marked + 1 + random.below(6) }, (_, index) => [
    ...makeLine(random, encoding, index === marked),
    ...tokens(encoding, random.pick(endings)),
  ]);
  if (random.chance(0.3)) lines.at(-1)?.pop();
  const bom = encoding.hasBom && random.chance(0.4) ? encoding.bytesOf("\uFEFF") : undefined;
  return { encoding, lines, bom: bom ?? Buffer.alloc(0), marked };
}

const code = ["let x = 1;", "// ", "foo(a, b)", "\t", "  ", "if (", "}", "#", "2", "name: "];

function makeLine(random: Random, encoding: ReferenceEncoding, isMarked: boolean): Line {
  const parts = Array.from({ length: 1 + random.below(4) }, () => tokens(encoding, random.pick(code)));
  if (random.chance(0.7)) parts.push(tokens(encoding, makeWord(random, encoding)));
  if (isMarked) parts.push(tokens(encoding, MARK));
  if (!encoding.name.startsWith("utf-16") && random.chance(0.03)) {
    parts.push([{ text: "\uFFFD", bytes: Buffer.from([0xff]), isBroken: true }]);
  }
  return parts.flat();
}

/** Letters with accents stand in words of plain ones, all others form words of their own. */
function makeWord(random: Random, encoding: ReferenceEncoding): string {
  const letters = Array.from({ length: 2 + random.below(6) }, () => random.pick(encoding.letters));
  return encoding.name === "iso-8859-1" ? letters.map((letter) => `${letter}ta`).join("") : letters.join("");
}

function tokens(encoding: ReferenceEncoding, text: string): Token[] {
  const parts = text === "\r\n" ? ["\r\n"] : [...text];
  return parts.map((part) => {
    const bytes = Buffer.concat([...part].map((character) => encoding.bytesOf(character) ?? Buffer.alloc(0)));
    return { text: part === "\r\n" ? "\n" : part, bytes };
  });
}

const bytesOf = ({ bom, lines }: Case) => Buffer.concat([bom, ...lines.flat().map(({ bytes }) => bytes)]);
const lengthOf = (parts: readonly Token[]) => parts.reduce((length, { bytes }) => length + bytes.length, 0);
const textOf = (parts: readonly Token[]) => parts.map(({ text }) => text).join("");

function newText(random: Random, encoding: ReferenceEncoding, maxLines: number): string {
  const lines = Array.from({ length: 1 + random.below(maxLines) }, () => {
    const foreign = random.chance(0.05) ? random.pick(["\u0e01", "\u{1F996}", "\u05d0"]) : "";
    return random.pick(code) + (random.chance(0.6) ? makeWord(random, encoding) : "") + foreign;
  });
  return lines.join("\n");
}

/** Around the marked word as many characters as there is room for, over lines too. */
function makeEdit(random: Random, file: Case, context: TestContext): Change {
  const { encoding, lines, bom } = file;
  const all = lines.flat();
  const mark = all.findIndex(({ text }, at) => text === MARK[0] && all[at + 1]?.text === MARK[1]);
  let start = mark;
  let end = mark + MARK.length;
  for (let left = random.below(12); left > 0 && start > 0 && !all[start - 1]?.isBroken; left--) start--;
  for (let left = random.below(12); left > 0 && end < all.length && !all[end]?.isBroken; left--) end++;
  const from = bom.length + lengthOf(all.slice(0, start));
  const text = newText(random, encoding, 3);
  const input = {
    old_string: textOf(all.slice(start, end)).replaceAll("\n", random.pick(["\n", "\r\n"])),
    new_string: text.replaceAll("\n", random.pick(["\n", "\r\n"])),
  };
  return {
    from,
    to: from + lengthOf(all.slice(start, end)),
    text,
    run: (path) => editTool.run({ file_path: path, ...input }, context),
  };
}

/** The marked line and some after it, with lines around them as context. */
function makePatch(random: Random, file: Case, context: TestContext): Change {
  const { encoding, lines, bom, marked } = file;
  const until = Math.min(lines.length, marked + 1 + random.below(3));
  const first = Math.max(0, marked - random.below(3));
  const last = Math.min(lines.length, until + random.below(3));
  const shown = (sign: string, some: readonly Line[]) => some.map((line) => sign + textOf(line).replace(/\n$/, ""));
  const text = newText(random, encoding, 3);
  const patch = [
    ...["*** Begin Patch", "*** Update File: file.txt", "@@"],
    ...shown(" ", lines.slice(first, marked)),
    ...shown("-", lines.slice(marked, until)),
    ...text.split("\n").map((line) => `+${line}`),
    ...shown(" ", lines.slice(until, last)),
    "*** End Patch",
  ].join("\n");
  const from = bom.length + lengthOf(lines.slice(0, marked).flat());
  // The last line may have no ending, and then its successor has none either.
  const isOpen = until === lines.length && lines.at(-1)?.at(-1)?.text !== "\n";
  return {
    from,
    to: from + lengthOf(lines.slice(marked, until).flat()),
    text: isOpen ? text : `${text}\n`,
    run: () => applyPatchTool.run({ patch }, context),
  };
}
