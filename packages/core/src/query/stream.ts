import { noUsage } from "../messages/message.ts";
import type { ModelEvent, ModelRequest } from "../models/model.ts";
import { costUsd } from "../models/pricing.ts";
import { type Answer, callsOf, keepOpenText, lineMessage, trimUnsendable } from "./answer.ts";
import type { QueryConfig } from "./config.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";
import { soundBlock } from "./sound-block.ts";

/** Streams one answer into `answer`: yields what eyes want to see, and hands each whole tool use to the executor at once. */
export async function* stream(
  request: ModelRequest,
  answer: Answer,
  deps: QueryDeps,
  config: QueryConfig,
  signal: AbortSignal,
): AsyncGenerator<QueryEvent, void> {
  try {
    for await (const event of deps.callModel(request, signal)) {
      if (event.type === "raw") {
        yield { type: "stream_event", event: event.event };
        continue;
      }
      if (event.type === "message_start" && answer.id !== "") yield* startOver(event, answer, deps, config);
      const block = take(event, answer, deps);
      if (block) yield block;
    }
    if (answer.stop === null && answer.failure === undefined) {
      answer.failure = { type: "cut", phase: "content", message: "the model's stream ended before its answer did" };
    }
    const trimmed = answer.failure === undefined ? trimUnsendable(answer) : [];
    if (trimmed.length > 0) yield { type: "tombstone", uuids: trimmed };
  } finally {
    // Also when the consumer leaves in the middle: what had come by then is paid for.
    await recordUsage(answer, statusOf(answer), deps, config);
  }
}

/** The provider begins its answer anew: only the last one counts. */
async function* startOver(
  { id }: Extract<ModelEvent, { type: "message_start" }>,
  answer: Answer,
  deps: QueryDeps,
  config: QueryConfig,
): AsyncGenerator<QueryEvent, void> {
  if (id !== answer.id) await recordUsage(answer, "retried", deps, config);
  answer.executor.startOver();
  for (const call of callsOf(answer)) answer.usedIds.delete(call.id);
  const uuids = answer.lines.splice(0).map((line) => line.uuid);
  if (uuids.length > 0) yield { type: "tombstone", uuids };
  answer.endedBlocks = 0;
  answer.stop = null;
  delete answer.cutBlock;
  delete answer.openText;
}

function take(event: Exclude<ModelEvent, { type: "raw" }>, answer: Answer, deps: QueryDeps): QueryEvent | undefined {
  switch (event.type) {
    case "message_start":
      // Some servers give none; the lines of an answer are held together by it.
      answer.id = event.id === "" ? deps.uuid() : event.id;
      answer.model = event.model;
      answer.usage = event.usage ?? null;
      if (event.requestId !== undefined) answer.requestId = event.requestId;
      return undefined;
    case "block_end": {
      answer.endedBlocks += 1;
      const block = soundBlock(event.block, answer.usedIds, deps.uuid);
      if (block === undefined) return undefined;
      answer.lines.push({ uuid: deps.uuid(), block });
      if (block.type === "tool_use") answer.executor.add(block);
      return blockEvent(answer);
    }
    case "message_end":
      answer.stop = event.stop;
      answer.usage = event.usage;
      if (event.cutBlock) answer.cutBlock = event.cutBlock;
      return undefined;
    case "failure": {
      answer.failure = event.failure;
      if (event.cutBlock) answer.cutBlock = event.cutBlock;
      if (event.usage) answer.usage = event.usage;
      const open = event.partial[answer.endedBlocks];
      if (open?.type !== "text" || open.text.trim() === "") return undefined;
      answer.openText = open;
      // Worth keeping at once when it was the user who stopped it; else recovery has the word.
      if (event.failure.type !== "aborted") return undefined;
      keepOpenText(answer, deps);
      return blockEvent(answer);
    }
    default:
      return event satisfies never;
  }
}

/** One ledger entry for each response, whatever became of it: the truth about usage. What never began has none. */
async function recordUsage(
  answer: Answer,
  status: "ok" | "retried" | "cancelled" | "failed",
  deps: QueryDeps,
  config: QueryConfig,
): Promise<void> {
  if (answer.id === "") return;
  const usage = answer.usage ?? noUsage;
  await deps.record({
    type: "ledger",
    responseId: answer.id,
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    attempt: answer.attempt,
    status,
    model: answer.model,
    usage,
    costUsd: costUsd(answer.model, usage),
    source: config.source,
  });
}

function statusOf({ failure, stop }: Answer): "ok" | "cancelled" | "failed" {
  if (failure !== undefined) return failure.type === "aborted" ? "cancelled" : "failed";
  return stop === null ? "cancelled" : "ok";
}

/** The line that came last, for eyes: with the usage that is known so far. */
export function blockEvent(answer: Answer): QueryEvent | undefined {
  const message = lineMessage(answer, answer.lines.length - 1);
  return message && { type: "block", message: { ...message, usage: answer.usage } };
}
