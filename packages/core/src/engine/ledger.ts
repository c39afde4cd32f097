import type { JournalEntry } from "../history/journal.ts";
import { addUsage, type ModelId, noUsage, type Usage } from "../messages/message.ts";
import { modelInfo } from "../models/catalog.ts";
import type { SdkModelUsage } from "./sdk-message.ts";

type LedgerEntry = Extract<JournalEntry, { type: "ledger" }>;
type ModelTotals = { usage: Usage; costUsd: number | null; webSearches: number };

/** What the session has used: the sum of what each response reported. */
export type Ledger = {
  add(entry: LedgerEntry): void;
  total(): Usage;
  /** null as soon as the price of one response is not known. */
  costUsd(): number | null;
  /** Of what was added since the ledger was made. */
  spentUsd(): number | null;
  /** From now on `turnUsage` counts anew. */
  startTurn(): void;
  /** Of all responses since the turn began: compaction and small questions too. */
  turnUsage(): Usage;
  /** All but those read from the cache. */
  newTokens(): number;
  byModel(): Record<string, SdkModelUsage>;
};

/** @param stored what a journal holds of it: an entry that stands there twice counts once. */
export function createLedger(stored: readonly LedgerEntry[] = []): Ledger {
  const models = new Map<ModelId, ModelTotals>();
  let spentUsd: number | null = 0;
  let turn: Usage = noUsage;

  function add(entry: LedgerEntry): void {
    const before = models.get(entry.model) ?? { usage: noUsage, costUsd: 0, webSearches: 0 };
    models.set(entry.model, {
      usage: addUsage(before.usage, entry.usage),
      costUsd: addCost(before.costUsd, entry.costUsd),
      webSearches: before.webSearches + (entry.webSearches ?? 0),
    });
    spentUsd = addCost(spentUsd, entry.costUsd);
    turn = addUsage(turn, entry.usage);
  }

  for (const entry of new Map(stored.map((each) => [keyOf(each), each])).values()) add(entry);
  spentUsd = 0;
  const total = () => [...models.values()].reduce((sum, model) => addUsage(sum, model.usage), noUsage);
  return {
    add,
    total,
    costUsd: () => [...models.values()].reduce<number | null>((sum, model) => addCost(sum, model.costUsd), 0),
    spentUsd: () => spentUsd,
    startTurn() {
      turn = noUsage;
    },
    turnUsage: () => turn,
    newTokens() {
      const { input, output, cacheWrite5m, cacheWrite1h } = total();
      return input + output + cacheWrite5m + cacheWrite1h;
    },
    byModel: () => Object.fromEntries([...models].map(([id, totals]) => [id, sdkModelUsage(id, totals)])),
  };
}

const keyOf = ({ responseId, requestId, attempt }: LedgerEntry) => JSON.stringify([responseId, requestId, attempt]);

const addCost = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

function sdkModelUsage(id: ModelId, { usage, costUsd, webSearches }: ModelTotals): SdkModelUsage {
  const info = modelInfo(id);
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheCreationInputTokens: usage.cacheWrite5m + usage.cacheWrite1h,
    webSearchRequests: webSearches,
    costUSD: costUsd,
    contextWindow: info.contextTokens,
    maxOutputTokens: info.maxOutputTokens,
  };
}
