import type { IncomingMessage } from "node:http";
import { isRecord } from "../../messages/api-shape.ts";
import type { ModelFailure, Phase } from "../failure.ts";
import type { ModelEvent } from "../model.ts";
import type { BodySource, Exchange, Read } from "./exchange.ts";
import { failureOf } from "./failure.ts";
import { eventsOfWhole } from "./one-piece.ts";
import { rateLimitOf } from "./rate-limit.ts";
import { type ReadOptions, readAnswer, requestIdOf } from "./read-response.ts";
import { Answer } from "./stream.ts";

/** A longer body is not one of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Whether the answer comes in one piece: asked for, or from a server that knows no streams. */
export const isOnePiece = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && /^application\/json/i.test(headers["content-type"] ?? "");

/**
 * The events of an answer that comes in one piece: those that its stream would have given. Returns what is wrong when it is no
 * answer.
 */
export async function* readOnePiece(
  exchange: Exchange,
  response: IncomingMessage,
  options: ReadOptions,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { provenance, includeRaw, now, call } = options;
  const requestId = requestIdOf(response);
  const { phase } = exchange.watchdog;
  const body = await bodyOf(exchange);
  if (body.type === "failed") return body.failure;
  const message = valueIn(body.text);
  if (message === undefined && isEventStream(body.text)) {
    yield* readAnswer(ended(body.text, exchange), response, options);
    return undefined;
  }
  if (!isRecord(message) || message["type"] !== "message") {
    const refusal = { status: 200, headers: response.headers, body: body.text, phase, now: now(), requestId };
    return message === undefined ? unreadable(phase) : failureOf(refusal);
  }
  const answer = new Answer({ provenance, includeRaw, requestId, rateLimit: rateLimitOf(response.headers) });
  for (const event of eventsOfWhole(message)) answer.accept(JSON.stringify(event), "");
  call.isWhole = true;
  yield* answer.drain();
  return undefined;
}

/** A stream that the server calls JSON. */
const isEventStream = (text: string): boolean => /^(event|data|id|retry)?:/.test(text);

/** A body that is there, as it is read from an exchange. */
function ended(text: string, { watchdog }: Exchange): BodySource {
  const reads: Read[] = [{ type: "bytes", bytes: Buffer.from(text) }];
  return { watchdog, expectEnd() {}, expectMore() {}, next: async () => reads.shift() ?? { type: "end" } };
}

type Body = { type: "whole"; text: string } | { type: "failed"; failure: ModelFailure };

async function bodyOf(exchange: Exchange): Promise<Body> {
  const pieces: Buffer[] = [];
  for (let size = 0; size <= MAX_ANSWER_BYTES; ) {
    const next = await exchange.next();
    if (next.type === "broken") return { type: "failed", failure: next.failure };
    if (next.type === "end") return { type: "whole", text: Buffer.concat(pieces).toString() };
    exchange.watchdog.arrived(true);
    pieces.push(next.bytes);
    size += next.bytes.length;
  }
  const message = `the answer is longer than ${MAX_ANSWER_BYTES} bytes`;
  return { type: "failed", failure: { type: "cut", phase: "content", message } };
}

/** Undefined for what is no whole JSON: a cut body, or none at all. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unreadable = (phase: Phase): ModelFailure => ({
  type: "cut",
  phase,
  message: "the answer, which came in one piece, is no whole JSON",
});
