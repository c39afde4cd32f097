import type { FileState } from "../files/file-state-cache.ts";
import type { JournalEntry } from "../history/journal.ts";
import { conversationLines } from "../history/lines.ts";
import { findRewinds } from "../history/rewinds.ts";
import { isRecord } from "../messages/api-shape.ts";
import { addUsage, type ModelId, noUsage, type Usage } from "../messages/message.ts";
import { numberOf, oneOf, optional, stringOf } from "./record.ts";

/** What a session that goes on starts with, beside its messages. Pure. */
export type SessionState = {
  /** Not `plan` and not `bypassPermissions`: those are asked for anew. */
  mode?: string;
  todos?: unknown;
  cwd?: string;
  /** What the model has seen of each file; entries are checked by hash before use. */
  readState?: [path: string, state: FileState][];
  /** Every part as it was last set, the above included. */
  parts: ReadonlyMap<string, unknown>;
};

/** The parts of the state at the end; what a rewind of the conversation took back is taken back here too. */
export function sessionState(entries: readonly JournalEntry[], lastCwd: string | null): SessionState {
  const parts = partsAtEnd(entries);
  const mode = oneOf(RESTORED_MODES, parts.get("mode"));
  const todos = parts.get("todos");
  return {
    ...optional("mode", mode),
    ...optional("todos", todos),
    ...optional("cwd", stringOf(parts.get("cwd")) ?? lastCwd ?? undefined),
    ...optional("readState", readStateOf(parts.get("readState"))),
    parts,
  };
}

const RESTORED_MODES = ["default", "acceptEdits", "dontAsk"];

function partsAtEnd(entries: readonly JournalEntry[]): ReadonlyMap<string, unknown> {
  const { isVoid } = findRewinds(entries, conversationLines(entries));
  const parts = new Map<string, unknown>();
  entries.forEach((entry, index) => {
    if (entry.type === "state" && !isVoid(index)) parts.set(entry.part, entry.value);
  });
  return parts;
}

function readStateOf(value: unknown): SessionState["readState"] {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    if (!Array.isArray(item)) return [];
    const path = stringOf(item[0]);
    const state = fileStateOf(item[1]);
    return path === undefined || state === undefined ? [] : [[path, state] satisfies [string, FileState]];
  });
}

function fileStateOf(value: unknown): FileState | undefined {
  if (!isRecord(value)) return undefined;
  const hash = stringOf(value["hash"]);
  const mtimeMs = numberOf(value["mtimeMs"]);
  const size = numberOf(value["size"]);
  const { isWhole, given } = value;
  if (hash === undefined || mtimeMs === undefined || size === undefined || typeof isWhole !== "boolean") {
    return undefined;
  }
  const offset = isRecord(given) ? numberOf(given["offset"]) : undefined;
  const limit = isRecord(given) ? numberOf(given["limit"]) : undefined;
  if (offset === undefined) return { hash, mtimeMs, size, isWhole };
  return { hash, mtimeMs, size, isWhole, given: { offset, ...optional("limit", limit) } };
}

/** What the model's answers took so far. */
export type SessionTotals = {
  usage: Usage;
  /** null: the price of at least one is not known. */
  costUsd: number | null;
  byModel: ReadonlyMap<ModelId, { usage: Usage; costUsd: number | null }>;
};

/** From the ledger; of a transcript without one, from what the answers carry. */
export function sessionTotals(entries: readonly JournalEntry[]): SessionTotals {
  const byModel = new Map<ModelId, { usage: Usage; costUsd: number | null }>();
  for (const { model, usage, costUsd } of charges(entries)) {
    const before = byModel.get(model) ?? { usage: noUsage, costUsd: 0 };
    byModel.set(model, { usage: addUsage(before.usage, usage), costUsd: addCosts(before.costUsd, costUsd) });
  }
  const models = [...byModel.values()];
  return {
    usage: models.reduce((total, { usage }) => addUsage(total, usage), noUsage),
    costUsd: models.reduce<number | null>((total, { costUsd }) => addCosts(total, costUsd), 0),
    byModel,
  };
}

type Charge = { model: ModelId; usage: Usage; costUsd: number | null };

function charges(entries: readonly JournalEntry[]): Charge[] {
  const ledger = entries.filter((entry) => entry.type === "ledger");
  if (ledger.length > 0) return ledger;
  return entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant" || entry.message.usage === null) return [];
    return [{ model: entry.message.model, usage: entry.message.usage, costUsd: null }];
  });
}

const addCosts = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
