import { expect, test } from "vitest";
import type { JournalEntry } from "../history/journal.ts";
import { memoryStore } from "./memory-store.ts";

test("entries are kept in order, as they were when they were appended", async () => {
  const store = memoryStore("s");
  const entry = { type: "state", part: "todos", value: ["a"] } satisfies JournalEntry;
  await store.append(entry);
  entry.value.push("b");
  await store.append(entry);

  expect(store.entries).toEqual([
    { type: "state", part: "todos", value: ["a"] },
    { type: "state", part: "todos", value: ["a", "b"] },
  ]);
  expect([store.sessionId, store.path]).toEqual(["s", null]);
});

test("each output has an absolute path of its own", async () => {
  const store = memoryStore("s");
  const paths = [await store.storeOutput("bash.txt", "one"), await store.storeOutput("bash.txt", "two")];

  expect(paths).toEqual(["/memory/s/bash.txt", "/memory/s/bash.txt-2"]);
  expect([...store.outputs.values()]).toEqual(["one", "two"]);
});

test("a closed store takes nothing more", async () => {
  const store = memoryStore("s");
  await store.close();

  expect(store.isClosed()).toBe(true);
  await expect(store.append({ type: "state", part: "todos", value: [] })).rejects.toMatchObject({
    code: "transcript_write",
    message: "session s is closed; nothing more can be written",
  });
  await expect(store.storeOutput("a", "b")).rejects.toMatchObject({ code: "transcript_write" });
  expect(store.entries).toEqual([]);
});
