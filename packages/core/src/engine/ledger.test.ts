import { expect, test } from "vitest";
import type { JournalEntry } from "../history/journal.ts";
import { type ModelId, noUsage } from "../messages/message.ts";
import { createLedger } from "./ledger.ts";

type Entry = Extract<JournalEntry, { type: "ledger" }>;

const entry = (responseId: string, more: Partial<Entry> = {}): Entry => ({
  type: "ledger",
  responseId,
  attempt: 1,
  status: "ok",
  model: "m" as ModelId,
  usage: { ...noUsage, input: 10, output: 1, cacheRead: 100, cacheWrite5m: 5 },
  costUsd: 0.5,
  source: "main",
  ...more,
});

test("totals are the sum of what was reported, failed and cancelled attempts included", () => {
  const ledger = createLedger();
  ledger.add(entry("a", { status: "failed" }));
  ledger.add(entry("a", { attempt: 2, status: "cancelled" }));
  ledger.add(entry("b", { model: "n" as ModelId, usage: noUsage, costUsd: 0 }));

  expect(ledger.total()).toEqual({ input: 20, output: 2, cacheRead: 200, cacheWrite5m: 10, cacheWrite1h: 0 });
  expect([ledger.costUsd(), ledger.newTokens()]).toEqual([1, 32]);
  expect(Object.keys(ledger.byModel())).toEqual(["m", "n"]);
});

test("what a journal holds twice counts once, another attempt of the same response does not", () => {
  const stored = [entry("a"), entry("a"), entry("a", { attempt: 2 }), entry("a", { requestId: "r2" })];

  expect(createLedger(stored).costUsd()).toBe(1.5);
});

test("a server that gives every response the same id is charged for each", () => {
  const ledger = createLedger();
  ledger.add(entry("msg_1"));
  ledger.add(entry("msg_1"));

  expect(ledger.spentUsd()).toBe(1);
});

test("what is spent begins at 0 with each ledger, and is unknown with the first unknown price", () => {
  const ledger = createLedger([entry("old", { costUsd: null })]);

  expect([ledger.costUsd(), ledger.spentUsd()]).toEqual([null, 0]);
  ledger.add(entry("new"));
  expect(ledger.spentUsd()).toBe(0.5);
  ledger.add(entry("unpriced", { costUsd: null }));
  expect(ledger.spentUsd()).toBeNull();
});
