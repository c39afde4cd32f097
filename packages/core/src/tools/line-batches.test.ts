import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { lineBatches } from "./line-batches.ts";

type Given = { lines: string; summary: string };

function collect() {
  const given: Given[] = [];
  let floods = 0;
  const batches = lineBatches({ give: (lines, summary) => given.push({ lines, summary }), flooded: () => floods++ });
  return { given, floods: () => floods, write: (text: string) => batches.write(Buffer.from(text)), end: batches.end };
}

test("lines that come close together are given together, in whatever pieces they come", async () => {
  const { given, write, end } = collect();
  for (const piece of ["on", "e\ntw", "o\n\n", "thr"]) write(piece);
  expect(given).toEqual([]);
  while (given.length === 0) await sleep(20);
  expect(given).toEqual([{ lines: "one\ntwo", summary: "2 lines" }]);
  write("ee ß");
  end();
  expect(given[1]).toEqual({ lines: "three ß", summary: "1 line" });
});

test("of many lines the first are given and the rest is counted; a long line is cut", () => {
  const { given, write, end } = collect();
  write(`${"x".repeat(10_000)}\n${"y\n".repeat(99)}`);
  end();
  expect(given[0]?.summary).toBe("100 lines, of which 60 are left out");
  expect(given[0]?.lines.length).toBeLessThan(700);
});

test("a line without an end does not grow for ever", () => {
  const { given, write, end } = collect();
  for (let piece = 0; piece < 1_000; piece++) write("x".repeat(1_000));
  end();
  expect(given[0]?.lines.length).toBe(501);
});
