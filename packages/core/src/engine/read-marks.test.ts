import { expect, test } from "vitest";
import { createFileStateCache, type FileState } from "../files/file-state-cache.ts";
import type { ToolUseId } from "../messages/message.ts";
import { createReadMarks } from "./read-marks.ts";

const [one, two, three] = ["one", "two", "three"] as ToolUseId[] as [ToolUseId, ToolUseId, ToolUseId];
const state = (hash: string, more: Partial<FileState> = {}): FileState => ({
  ...{ hash, mtimeMs: 1, size: 1, isWhole: true },
  ...more,
});
const given = { offset: 1 };

function marks(initial: [string, FileState][] = []) {
  const cache = createFileStateCache(initial);
  return { cache, marks: createReadMarks(cache) };
}

test("what a call notes is known to the others at once, and stays when its result is given", () => {
  const { cache, marks: readMarks } = marks();
  readMarks.of(one).set("/a", state("1", { given }));

  expect(readMarks.of(two).get("/a")).toEqual(state("1"));
  readMarks.settle([one]);
  expect(cache.get("/a")).toEqual(state("1", { given }));
  expect(readMarks.of(three).get("/a")).toEqual(state("1", { given }));
});

test("what was noted of a result that is not given is taken back to what was known before", () => {
  const { cache, marks: readMarks } = marks([["/b", state("0")]]);
  readMarks.of(one).set("/a", state("1"));
  readMarks.of(one).set("/b", state("2"));
  readMarks.of(two).set("/c", state("3"));

  readMarks.settle([two]);

  expect([...cache.entries()].sort()).toEqual([
    ["/b", state("0")],
    ["/c", state("3")],
  ]);
});

test("an edit after a read that was not given whole is known, but not the whole file", () => {
  const { cache, marks: readMarks } = marks();
  readMarks.of(one).set("/a", state("1"));
  readMarks.of(two).set("/a", state("2"));

  readMarks.settle([two]);

  expect(cache.get("/a")).toEqual(state("2", { isWhole: false }));
});

test("a read that was given whole is not undone by a later one that was not", () => {
  const { cache, marks: readMarks } = marks();
  readMarks.of(one).set("/a", state("1"));
  readMarks.of(two).set("/a", state("1", { given }));

  readMarks.settle([one]);

  expect(cache.get("/a")).toEqual(state("1"));
});

test("what a call notes after its answer is settled is dropped", () => {
  const { cache, marks: readMarks } = marks();
  const late = readMarks.of(one);
  readMarks.settle([]);

  late.set("/a", state("1"));
  late.delete("/b");

  expect([...cache.entries()]).toEqual([]);
});
