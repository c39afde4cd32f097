import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../../messages/api-shape.ts";
import type { ModelFailure, Phase } from "../failure.ts";
import { failureOfRefusal, kindOfStatus, type RefusalKind } from "../refusal.ts";
import { type Fields, textIn } from "./fields.ts";
import { resetTime, windowOf } from "./rate-limit.ts";

/** What came instead of an answer, from the status line or from inside the stream. */
type RefusalResponse = {
  status?: number;
  headers: IncomingHttpHeaders;
  /** The body, or the data of an `error` event. */
  body: string;
  phase: Phase;
  /** Milliseconds since the epoch. */
  now: number;
  requestId: string | undefined;
};

/** Sorts a refusal: by the type in its body first, by its status second, by its text last. Keys are left in: see `redact`. */
export function failureOf(response: RefusalResponse): ModelFailure {
  const { status, headers, phase, now } = response;
  const { error, requestId } = bodyOf(response.body);
  const text = error === undefined ? pageText(response) : (textIn(error, "message") ?? response.body);
  const details = error?.["details"];
  const request = response.requestId ?? requestId;
  return failureOfRefusal({
    kind: kindOf(error === undefined ? undefined : textIn(error, "type"), status),
    text,
    ...(status === undefined ? {} : { status }),
    ...(request === undefined ? {} : { requestId: request }),
    ...(isRecord(details) ? { details } : {}),
    codes: ["code", "type"].flatMap((field) => textIn(error ?? {}, field) ?? []),
    phase,
    waits: waits(headers, now),
  });
}

/** `failure` with every secret in its message struck out: a provider or a proxy may echo what it was sent. */
export function redact(failure: ModelFailure, secrets: readonly string[]): ModelFailure {
  if (failure.type === "aborted") return failure;
  let message = failure.message.replace(/\bsk-ant-[\w-]+/g, "[key]");
  for (const secret of secrets) if (secret !== "") message = message.replaceAll(secret, "[key]");
  return message === failure.message ? failure : { ...failure, message };
}

/** The provider's error types, and what each is to us. */
export const kindOfErrorType = {
  invalid_request_error: "invalid_request",
  authentication_error: "auth",
  billing_error: "billing",
  permission_error: "permission",
  not_found_error: "not_found",
  conflict_error: "server",
  request_too_large: "prompt_too_long",
  rate_limit_error: "rate_limited",
  api_error: "server",
  timeout_error: "timeout",
  overloaded_error: "overloaded",
} as const satisfies Record<string, RefusalKind>;

function kindOf(type: string | undefined, status: number | undefined): RefusalKind {
  if (type !== undefined && isErrorType(type)) return kindOfErrorType[type];
  return status === undefined ? "server" : kindOfStatus(status);
}

const isErrorType = (type: string): type is keyof typeof kindOfErrorType => Object.hasOwn(kindOfErrorType, type);

function waits(
  headers: IncomingHttpHeaders,
  now: number,
): { retryAfterMs?: number; resetsAt?: number; window?: string } {
  const retryAfterMs = retryAfter(headers, now);
  const resetsAt = resetTime(headers) ?? (retryAfterMs === undefined ? undefined : now + retryAfterMs);
  const window = windowOf(headers);
  return {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(window === undefined ? {} : { window }),
  };
}

/** A longer wait is no wait; and what comes after it must still be a date. Milliseconds. */
const MAX_RETRY_AFTER_MS = 366 * 24 * 60 * 60 * 1_000;

/** Milliseconds in a header of their own, which is the more exact one; else seconds or a date. */
function retryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const exact = headers["retry-after-ms"];
  const told = typeof exact === "string" && exact.trim() !== "" ? Number(exact) : Number.NaN;
  const ms = Number.isNaN(told) ? secondsOrDate(headers["retry-after"], now) : told;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

function secondsOrDate(value: string | undefined, now: number): number {
  if (value === undefined || value.trim() === "") return Number.NaN;
  const seconds = Number(value);
  return Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
}

/** The `error` object of a body or of an event, which may stand alone or in its envelope. */
function bodyOf(body: string): { error?: Fields; requestId?: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {}; // a page of a proxy, or plain text: its words are used instead
  }
  if (!isRecord(value)) return {};
  const requestId = textIn(value, "request_id");
  const error = isRecord(value["error"]) ? value["error"] : value;
  return { error, ...(requestId === undefined ? {} : { requestId }) };
}

/** What a page or plain text says, without its mark-up. */
function pageText({ body, status, headers }: RefusalResponse): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  const words = (title ?? body.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  if (status !== undefined && status >= 300 && status < 400) {
    return `the address redirects to ${headers.location ?? "another one"}; check the base URL`;
  }
  const said = words === "" ? "an empty body" : words;
  return status === 200 ? `a page in place of an answer; check the base URL: ${said}` : said;
}
