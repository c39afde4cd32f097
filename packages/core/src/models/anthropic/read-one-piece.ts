import type { IncomingMessage } from "node:http";
import { isRecord } from "../../messages/api-shape.ts";
import type { ModelFailure, Phase } from "../failure.ts";
import type { ModelEvent } from "../model.ts";
import type { Exchange } from "./exchange.ts";
import { failureOf, redact } from "./failure.ts";
import { eventsOfWhole } from "./one-piece.ts";
import { rateLimitOf } from "./rate-limit.ts";
import { type ReadOptions, requestIdOf } from "./read-response.ts";
import { Answer } from "./stream.ts";

/** A longer body is not one of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Whether the answer came in one piece; a server may send a stream all the same. */
export const isOnePiece = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && /^application\/json/i.test(headers["content-type"] ?? "");

/** The events of an answer that comes in one piece: those that its stream would have given, or a failure. */
export async function* readOnePiece(
  exchange: Exchange,
  response: IncomingMessage,
  { provenance, includeRaw, secrets, now, call }: ReadOptions,
): AsyncGenerator<ModelEvent, void> {
  const requestId = requestIdOf(response);
  const { phase } = exchange.watchdog;
  const body = await bodyOf(exchange);
  if (body.type === "failed") return yield { type: "failure", failure: redact(body.failure, secrets), partial: [] };
  const message = valueIn(body.text);
  if (!isRecord(message) || message["type"] !== "message") {
    const refusal = { status: 200, headers: response.headers, body: body.text, phase, now: now(), requestId };
    const failure = message === undefined ? unreadable(phase) : failureOf(refusal);
    return yield { type: "failure", failure: redact(failure, secrets), partial: [] };
  }
  const answer = new Answer({ provenance, includeRaw, requestId, rateLimit: rateLimitOf(response.headers) });
  for (const event of eventsOfWhole(message)) answer.accept(JSON.stringify(event), "");
  call.isWhole = true;
  yield* answer.drain();
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
  message: "the answer, asked for in one piece, is no whole JSON",
});
