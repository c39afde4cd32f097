import { expect, test } from "vitest";
import { createFileStateCache, MAX_FILE_STATES } from "./file-state-cache.ts";

const state = (hash: string) => ({ hash, mtimeMs: 1, size: 1, isWhole: true });

test("beyond its bound the cache forgets the file that was seen longest ago", () => {
  const cache = createFileStateCache([
    ["/first", state("1")],
    ["/second", state("2")],
  ]);
  cache.set("/first", state("1 again"));
  for (let index = 0; index < MAX_FILE_STATES - 1; index++) cache.set(`/file${index}`, state("x"));

  expect(cache.get("/second")).toBeUndefined();
  expect(cache.get("/first")).toEqual(state("1 again"));
  expect([...cache.entries()]).toHaveLength(MAX_FILE_STATES);
});

test("a cache carried to a later session has the same states", () => {
  const cache = createFileStateCache([["/a", state("1")]]);
  cache.set("/b", { ...state("2"), given: { offset: 3, limit: 4 } });

  const carried = createFileStateCache(JSON.parse(JSON.stringify([...cache.entries()])));

  expect([...carried.entries()]).toEqual([...cache.entries()]);
});
