import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { fileTail } from "./file-tail.ts";
import { createOutputLog } from "./output-log.ts";

let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await tempWorkspace();
});
afterEach(() => workspace.remove());

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

test("an output under the limit is in the file as it was given, in a folder that is made for it", async () => {
  const log = createOutputLog(workspace.path("deep/er/out"), 1_000);
  await log.write(Buffer.from("one\n"));
  log.write(Buffer.from("two\n"));
  await log.close();
  expect(await readFile(log.path, "utf8")).toBe("one\ntwo\n");
  expect([log.totalBytes, log.failure]).toEqual([8, undefined]);
});

test("of a longer one whole lines of the beginning and the end are kept, and what is missing is counted", async () => {
  const log = createOutputLog(workspace.path("out"), 10_000);
  const whole = numbers(1, 20_000);
  for (let at = 0; at < whole.length; at += 777) await log.write(Buffer.from(whole.slice(at, at + 777)));
  await log.close();
  const text = await readFile(log.path, "utf8");
  const [, head = "", omitted = "", tail = ""] =
    /^(.*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n(.*)$/s.exec(text) ?? [];
  expect(text.length).toBeLessThanOrEqual(10_000);
  expect([whole.startsWith(head), whole.endsWith(tail)]).toEqual([true, true]);
  expect([head.endsWith("\n"), tail.startsWith("line ")]).toEqual([true, true]);
  expect(head.length + Number(omitted) + tail.length).toBe(whole.length);
  expect(head.length).toBeGreaterThan(1_500);
  expect(tail.length).toBeGreaterThan(2_000);
});

test("one chunk that is many times the limit, and one line without an end, are bounded too", async () => {
  const log = createOutputLog(workspace.path("out"), 10_000);
  await log.write(Buffer.alloc(1_000_000, "x"));
  await log.close();
  const text = await readFile(log.path, "utf8");
  expect(text.length).toBeLessThanOrEqual(10_000);
  expect(text).toMatch(/^x{2500}\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+$/);
});

test("a file that is there is not written to, and why nothing is kept is said", async () => {
  await writeFile(workspace.path("out"), "mine");
  const log = createOutputLog(workspace.path("out"), 10_000);
  await log.write(Buffer.from("text"));
  await log.close();
  expect(await readFile(workspace.path("out"), "utf8")).toBe("mine");
  expect(log.failure).toContain("EEXIST");
});

test("the end of a file is given from the start of a line; of one that is not there yet nothing", async () => {
  await writeFile(workspace.path("out"), numbers(1, 100));
  expect(await fileTail(workspace.path("out"), 20)).toBe("line 99\nline 100\n");
  expect(await fileTail(workspace.path("out"), 100_000)).toBe(numbers(1, 100));
  expect(await fileTail(workspace.path("none"), 20)).toBe("");
});
