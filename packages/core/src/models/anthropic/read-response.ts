import type { IncomingMessage } from "node:http";
import { messageOf } from "../../lib/error.ts";
import type { Provenance } from "../../messages/message.ts";
import type { ModelFailure } from "../failure.ts";
import type { ModelEvent } from "../model.ts";
import type { BodySource, Exchange, Read } from "./exchange.ts";
import { failureOf, redact } from "./failure.ts";
import { rateLimitOf } from "./rate-limit.ts";
import { SseParser } from "./sse.ts";
import { Answer } from "./stream.ts";

export type ReadOptions = {
  provenance: Provenance;
  includeRaw: boolean;
  secrets: readonly string[];
  now: () => number;
  /** `isWhole` is set before the event that ends the answer is given. */
  call: { isWhole: boolean };
};

/** A page or a JSON object in place of the stream is a refusal, whatever its status says. */
export function isStream({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && !/^(text\/html|application\/json)/i.test(headers["content-type"] ?? "");
}

/** What the provider said in place of an answer. */
export async function readRefusal(
  exchange: Exchange,
  response: IncomingMessage,
  now: () => number,
): Promise<ModelFailure> {
  return failureOf({
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await exchange.text(),
    phase: exchange.watchdog.phase,
    now: now(),
    requestId: requestIdOf(response),
  });
}

/** The events of an answer, a failure as the last one if it breaks off. */
export async function* readAnswer(
  exchange: BodySource,
  response: Pick<IncomingMessage, "headers">,
  { provenance, includeRaw, secrets, now, call }: ReadOptions,
): AsyncGenerator<ModelEvent, void> {
  const requestId = requestIdOf(response);
  const answer = new Answer({ provenance, includeRaw, requestId, rateLimit: rateLimitOf(response.headers) });
  const parser = new SseParser((data, name) => answer.accept(data, name));
  for (;;) {
    const next = await exchange.next();
    const unreadable = fed(parser, next);
    exchange.watchdog.arrived(answer.hadContent);
    call.isWhole = answer.isWhole;
    for (const event of answer.drain()) yield event;
    if (answer.isWhole) {
      // Another message may follow; nothing that goes wrong now takes this one back.
      if (next.type !== "bytes" || unreadable !== undefined) return;
      exchange.expectEnd();
      continue;
    }
    exchange.expectMore();
    const { error } = answer;
    const { phase } = exchange.watchdog;
    const failure =
      error === undefined
        ? breakOf(next, unreadable, answer, exchange)
        : failureOf({ headers: {}, body: error, phase, now: now(), requestId });
    if (failure !== undefined) return yield answer.broken(redact(failure, secrets));
  }
}

/** Gives bytes, or their end, to the parser; returns what is wrong with them. */
function fed(parser: SseParser, next: Read): string | undefined {
  try {
    if (next.type === "bytes") parser.push(next.bytes);
    if (next.type === "end") parser.end();
    return undefined;
  } catch (error) {
    // Half an event at the end is what a cut stream leaves; that it was cut is said elsewhere.
    return next.type === "end" ? undefined : messageOf(error);
  }
}

/** Why nothing more can come, if so. */
function breakOf(
  next: Read,
  unreadable: string | undefined,
  { hasBegun }: Answer,
  { watchdog: { phase } }: BodySource,
): ModelFailure | undefined {
  if (next.type === "broken") return next.failure;
  if (unreadable !== undefined) return { type: "cut", phase, message: `the stream is unreadable: ${unreadable}` };
  if (next.type !== "end") return undefined;
  const message = hasBegun ? "the stream ended before the answer did" : "the stream ended without any answer";
  return { type: "cut", phase, message };
}

export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const id = headers["request-id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}
