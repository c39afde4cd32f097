import type { JournalEntry } from "../history/journal.ts";
import { childController } from "../lib/abort.ts";
import { mayPass } from "../models/failure.ts";
import type { Model, ModelRequest } from "../models/model.ts";
import { costUsd, WEB_SEARCH_USD } from "../models/pricing.ts";
import { type WholeAnswer, wholeAnswer } from "../models/whole-answer.ts";
import { costTerminal } from "../query/budgets.ts";
import type { QueryDeps } from "../query/deps.ts";
import { backoffMs, RETRY_BASE_MS } from "../query/recovery/bounds.ts";
import { searchesIn } from "../tools/builtin/web/provider-search.ts";
import type { Ledger } from "./ledger.ts";

/** A request that fails for a reason that may pass is made this often. */
const MAX_TRIES = 3;

/** What a model is asked with beside the conversation: the session's clock, ledger and budget. */
export type SideDeps = {
  clock: Pick<QueryDeps, "uuid" | "sleep" | "random">;
  ledger: Pick<Ledger, "spentUsd">;
  retryBaseMs?: number;
  maxBudgetUsd?: number;
  /** An id for an answer that no other of the session has. */
  answerId(given: string): string;
  record(entry: JournalEntry): Promise<void>;
};

/** Whether the budget in dollars leaves nothing to ask for. */
export const isBudgetSpent = (deps: SideDeps): boolean =>
  costTerminal(deps, { costUsd: deps.ledger.spentUsd(), tokens: 0 }) !== undefined;

/**
 * One request and its answer, asked for again when it fails for a reason that may pass. None of it reaches the conversation;
 * each response is in the ledger under `side`. Past `timeoutMs` the answer is an `aborted` failure, as when `signal` aborts.
 */
export async function sideAnswer(
  model: Model,
  request: ModelRequest,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  deps: SideDeps,
): Promise<WholeAnswer> {
  const { clock, retryBaseMs = RETRY_BASE_MS } = deps;
  const asking = childController(signal);
  const ended = new AbortController();
  void clock.sleep(timeoutMs, ended.signal).then(() => asking.abort());
  try {
    for (let tries = 1; ; tries++) {
      const answer = await wholeAnswer(model, request, asking.signal);
      if (answer.id !== "") await count(answer, tries, model, deps);
      if (answer.failure === undefined || tries === MAX_TRIES || !mayPass(answer.failure)) return answer;
      await clock.sleep(backoffMs(tries - 1, retryBaseMs, clock.random()), asking.signal);
    }
  } finally {
    ended.abort();
    asking.release();
  }
}

/** The price is that of the model that was asked: its answer names a release of it. */
async function count({ id, usage, failure, blocks }: WholeAnswer, attempt: number, model: Model, deps: SideDeps) {
  const cost = costUsd(model.id, usage);
  const webSearches = searchesIn(blocks);
  await deps.record({
    type: "ledger",
    responseId: deps.answerId(id),
    attempt,
    status: failure === undefined ? "ok" : "failed",
    model: model.id,
    usage,
    costUsd: cost === null ? null : cost + webSearches * WEB_SEARCH_USD,
    ...(webSearches > 0 ? { webSearches } : {}),
    source: "side",
  });
}
