import { estimateTokens } from "../messages/estimate-tokens.ts";
import { type Message, textOf, type UserMessage, type Uuid } from "../messages/message.ts";
import { mayPass } from "../models/failure.ts";
import type { Model } from "../models/model.ts";
import { type WholeAnswer, wholeAnswer } from "../models/whole-answer.ts";
import { cutPoint, withoutOldest } from "./cut-point.ts";
import { summaryMessage, summaryMessages, summaryText } from "./summary.ts";

/** A summary request that is itself too long is made smaller this often. */
const MAX_SHORTER_REQUESTS = 2;
/** A request that fails for a reason that may pass is made this often. */
const MAX_TRIES = 3;
/** The summary may be this long. Tokens. */
const MAX_SUMMARY_TOKENS = 8_000;

export type CompactionRequest = {
  messages: readonly Message[];
  model: Model;
  /** Stands in front of the summary. */
  context: string | undefined;
  uuid(): Uuid;
  /** Asked before each request; false ends the attempt. */
  mayAsk?(): boolean;
  /** Waits before another try, longer each time. `tries`: how often it has failed. */
  pause(tries: number, signal: AbortSignal): Promise<void>;
  /** Told of each response, for the ledger. */
  spent(response: WholeAnswer): Promise<void>;
};

type Compaction = { summary: UserMessage; kept: readonly Message[]; preTokens: number };

/**
 * A structured summary by the model in the place of all but the newest rounds. Undefined when it failed, was aborted, or would
 * not make the conversation shorter.
 */
export async function compactFully(request: CompactionRequest, signal: AbortSignal): Promise<Compaction | undefined> {
  const { messages, model, uuid } = request;
  const preTokens = estimateTokens(messages);
  const { head, tail } = cutPoint(messages, model.limits.contextTokens);
  const summary = await summarize(head, request, signal);
  if (summary === undefined) return undefined;
  const lastRequest = lastRequestOf(tail) === undefined ? lastRequestOf(head) : undefined;
  const message = summaryMessage({ uuid: uuid(), summary, lastRequest, context: request.context });
  const isShorter = estimateTokens([message, ...tail]) < preTokens;
  return isShorter ? { summary: message, kept: tail, preTokens } : undefined;
}

async function summarize(
  head: readonly Message[],
  request: CompactionRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  let messages: readonly Message[] | undefined = head;
  for (let attempt = 0; attempt <= MAX_SHORTER_REQUESTS && messages !== undefined; attempt++) {
    const answer = await askAgain(messages, request, signal);
    if (answer === undefined) return undefined;
    if (answer.failure === undefined) return summaryText(answer.blocks);
    if (answer.failure.type !== "prompt_too_long") return undefined;
    messages = withoutOldest(messages);
  }
  return undefined;
}

async function askAgain(
  messages: readonly Message[],
  request: CompactionRequest,
  signal: AbortSignal,
): Promise<WholeAnswer | undefined> {
  for (let tries = 1; ; tries++) {
    if (request.mayAsk?.() === false) return undefined;
    const answer = await ask(messages, request, signal);
    if (answer.failure === undefined || tries === MAX_TRIES || !mayPass(answer.failure)) return answer;
    await request.pause(tries, signal);
  }
}

async function ask(
  messages: readonly Message[],
  { model, uuid, spent }: CompactionRequest,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const maxTokens = Math.min(MAX_SUMMARY_TOKENS, model.limits.maxOutputTokens);
  const asked = { tools: [], system: [], messages: summaryMessages(messages, uuid()), maxTokens, skipCacheWrite: true };
  const answer = await wholeAnswer(model, asked, signal);
  if (answer.id !== "") await spent(answer);
  return answer;
}

/** The text that the user wrote last: neither results nor what the engine added. */
function lastRequestOf(messages: readonly Message[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "user" || message.isMeta || message.isCompactSummary) continue;
    const text = textOf(message.content.filter((block) => block.type === "text").slice(-1));
    if (text !== "") return text;
  }
  return undefined;
}
