import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonLine, readJsonLines } from "./jsonl.ts";

async function read(bytes: Uint8Array, chunkBytes = bytes.length, maxLineBytes?: number): Promise<JsonLine[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const lines: JsonLine[] = [];
  for await (const line of readJsonLines(chunks(), maxLineBytes)) lines.push(line);
  return lines;
}
const readText = (text: string) => read(Buffer.from(text));

test("lines are numbered from 1; blank ones, a byte order mark and carriage returns do not count", async () => {
  expect(await readText('\uFEFF{"a":1}\r\n\n  \r\n[2]\n"c"')).toEqual([
    { line: 1, values: [{ a: 1 }] },
    { line: 4, values: [[2]] },
    { line: 5, values: ["c"] },
  ]);
});

test("values are the same however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), async (values, chunkBytes) => {
      const texts = values.map((value) => JSON.stringify(value));
      const lines = await read(Buffer.from(texts.join("\n")), chunkBytes);
      expect(lines).toEqual(texts.map((text, at) => ({ line: at + 1, values: [JSON.parse(text)] })));
    }),
  );
});

test("a last line that was not written to its end is called torn, and the lines before it are whole", async () => {
  expect(await readText('{"a":1}\n{"b":"hal')).toEqual([
    { line: 1, values: [{ a: 1 }] },
    { line: 2, values: [], damage: "torn" },
  ]);
});

test("a record behind a torn one on the same line is saved", async () => {
  expect(await readText('{"a":{"text":"hal{"b":"whole } \\" {"}\n{"c":3}')).toEqual([
    { line: 1, values: [{ b: 'whole } " {' }], damage: "not_json" },
    { line: 2, values: [{ c: 3 }] },
  ]);
});

test("two records on one line are both saved", async () => {
  expect(await readText('{"a":1}{"b":2}\n')).toEqual([{ line: 1, values: [{ a: 1 }, { b: 2 }], damage: "not_json" }]);
});

test("NUL bytes around or inside a record do not cost the record", async () => {
  expect(await readText('\0\0\0\n\0\0{"a":1}\0\n{"b":\0 2}\n')).toEqual([
    { line: 1, values: [], damage: "nul_bytes" },
    { line: 2, values: [{ a: 1 }], damage: "nul_bytes" },
    { line: 3, values: [{ b: 2 }], damage: "nul_bytes" },
  ]);
});

test("a line over the bound is skipped without being held", async () => {
  const long = `{"a":"${"x".repeat(100)}"}`;
  expect(await read(Buffer.from(`${long}\n{"b":2}\n`), 7, 50)).toEqual([
    { line: 1, values: [], damage: "too_long" },
    { line: 2, values: [{ b: 2 }] },
  ]);
});

test("any bytes at all are read to the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const lines = await read(bytes, 11);
      expect(lines.length).toBeLessThanOrEqual(bytes.filter((byte) => byte === 0x0a).length + 1);
    }),
  );
});

test("a damaged line of many open brackets takes no time to speak of", async () => {
  const lines = await readText(`${'{"a":'.repeat(1_000_000)}\n{"b":2}`);
  expect(lines).toEqual([
    { line: 1, values: [], damage: "not_json" },
    { line: 2, values: [{ b: 2 }] },
  ]);
});
