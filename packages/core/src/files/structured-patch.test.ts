import { expect, test } from "vitest";
import { structuredPatch } from "./structured-patch.ts";

test("a changed line is shown with the lines around it, whatever the line endings", async () => {
  expect(await structuredPatch("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n", "1\r\n2\r\n3\r\n4\r\nfive\r\n6\r\n")).toEqual([
    { oldStart: 2, oldLines: 5, newStart: 2, newLines: 5, lines: [" 2", " 3", " 4", "-5", "+five", " 6"] },
  ]);
});

test("texts that have too little in common are one replaced block", async () => {
  const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}`);
  const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}`);

  const [hunk, ...others] = await structuredPatch(
    ["same", ...before, "end"].join("\n"),
    ["same", ...after, "end"].join("\n"),
  );

  expect(others).toEqual([]);
  expect(hunk).toEqual({
    oldStart: 2,
    oldLines: 3_000,
    newStart: 2,
    newLines: 3_000,
    lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
  });
});

test("the same text has no hunks", async () => {
  expect(await structuredPatch("a\nb", "a\r\nb")).toEqual([]);
});
