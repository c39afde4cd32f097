import { compactFully } from "../compaction/full.ts";
import type { Message } from "../messages/message.ts";
import type { Model } from "../models/model.ts";
import { costUsd } from "../models/pricing.ts";
import type { Compacted } from "../query/deps.ts";
import { backoffMs, RETRY_BASE_MS } from "../query/recovery/bounds.ts";
import { ownAnswerId, record, type Session } from "./session.ts";

/** The loop's `autocompact`. Collapses are not staged yet, so that draining them gains nothing. */
export async function compact(
  session: Session,
  model: Model,
  messages: readonly Message[],
  why: "drain" | "reactive",
  signal: AbortSignal,
  mayAsk?: () => boolean,
): Promise<Compacted | undefined> {
  if (why === "drain") return undefined;
  const { clock, userContext, retryBaseMs = RETRY_BASE_MS } = session.config;
  const compaction = await compactFully(
    {
      messages,
      model,
      context: await userContext(),
      uuid: clock.uuid,
      ...(mayAsk ? { mayAsk } : {}),
      pause: (tries, pausing) => clock.sleep(backoffMs(tries - 1, retryBaseMs, clock.random()), pausing),
      spent: ({ id, usage, failure }) =>
        record(session, {
          type: "ledger",
          responseId: ownAnswerId(id, session),
          attempt: 1,
          status: failure === undefined ? "ok" : "failed",
          model: model.id,
          usage,
          costUsd: costUsd(model.id, usage),
          source: "compact",
        }),
    },
    signal,
  );
  if (compaction === undefined) return undefined;
  const { summary, kept, preTokens } = compaction;
  forgetGivenRanges(session);
  const boundary = {
    type: "compact_boundary",
    uuid: clock.uuid(),
    logicalParent: session.leaf,
    trigger: "auto",
    preTokens,
    summary,
    kept: kept.map((message) => message.uuid),
  } as const;
  return { entries: [boundary], messages: [summary, ...kept], committed: 0 };
}

/** What was read is no longer before the model's eyes: a repeated read gives the content, not a note that nothing changed. */
function forgetGivenRanges({ config: { readState } }: Session): void {
  for (const [path, { given: _, ...state }] of [...readState.entries()]) readState.set(path, state);
}
