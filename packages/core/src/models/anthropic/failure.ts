import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../../messages/api-shape.ts";
import type { ModelFailure, Phase } from "../failure.ts";
import { type Fields, textIn } from "./fields.ts";
import { resetTime, windowOf } from "./rate-limit.ts";

/** What a provider said instead of an answer, from the status line or from inside the stream. */
export type Refusal = {
  status?: number;
  headers: IncomingHttpHeaders;
  /** The body, or the data of an `error` event. */
  body: string;
  phase: Phase;
  /** Milliseconds since the epoch. */
  now: number;
  requestId: string | undefined;
};

const MAX_MESSAGE_CHARS = 2_000;

/** Sorts a refusal: by the type in its body first, by its status second, by its text last. Keys are left in: see `redact`. */
export function failureOf(refusal: Refusal): ModelFailure {
  const { error, requestId } = bodyOf(refusal.body);
  const text = error === undefined ? pageText(refusal) : (textIn(error, "message") ?? refusal.body);
  const message = described(text, refusal.status, refusal.requestId ?? requestId);
  const kind = kindOf(error === undefined ? undefined : textIn(error, "type"), refusal.status);
  const status = refusal.status === undefined ? {} : { status: refusal.status };
  switch (kind) {
    case "invalid_request":
      return invalidRequest(text, error, { ...status, message });
    case "rate_limited":
      return { type: kind, ...status, ...waits(refusal.headers, refusal.now), message };
    case "auth":
    case "permission":
      return { type: "auth", status: refusal.status === 403 || kind === "permission" ? 403 : 401, message };
    case "overloaded":
    case "server":
    case "timeout": {
      const retryAfterMs = retryAfter(refusal.headers["retry-after"], refusal.now);
      return {
        type: kind,
        ...status,
        phase: refusal.phase,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        message,
      };
    }
    case "prompt_too_long":
      return { type: kind, ...status, message };
    case "billing":
    case "not_found":
      return { type: kind, ...status, message };
    default:
      return kind satisfies never;
  }
}

/** `failure` with every secret in its message struck out: a provider or a proxy may echo what it was sent. */
export function redact(failure: ModelFailure, secrets: readonly string[]): ModelFailure {
  if (failure.type === "aborted") return failure;
  let message = failure.message.replace(/\bsk-ant-[\w-]+/g, "[key]");
  for (const secret of secrets) if (secret !== "") message = message.replaceAll(secret, "[key]");
  return message === failure.message ? failure : { ...failure, message };
}

type Kind =
  | "invalid_request"
  | "rate_limited"
  | "auth"
  | "permission"
  | "overloaded"
  | "server"
  | "timeout"
  | "billing"
  | "not_found"
  | "prompt_too_long";

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
} as const satisfies Record<string, Kind>;

const kindOfStatus: Record<number, Kind> = {
  401: "auth",
  402: "billing",
  403: "permission",
  404: "not_found",
  408: "timeout",
  409: "server",
  413: "prompt_too_long",
  429: "rate_limited",
  504: "timeout",
  529: "overloaded",
};

function kindOf(type: string | undefined, status: number | undefined): Kind {
  if (type !== undefined && isErrorType(type)) return kindOfErrorType[type];
  if (status === undefined) return "server";
  const kind = kindOfStatus[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return "server";
  // Another address answers: the base URL is not that of the API.
  return status < 400 ? "not_found" : "invalid_request";
}

const isErrorType = (type: string): type is keyof typeof kindOfErrorType => Object.hasOwn(kindOfErrorType, type);

type About = { status?: number; message: string };

function invalidRequest(text: string, error: Fields | undefined, about: About): ModelFailure {
  const tooLong = /prompt is too long(?::\s*(\d+) tokens > (\d+) maximum)?/i.exec(text);
  if (tooLong !== null) return { type: "prompt_too_long", ...numbers(tooLong[1], tooLong[2]), ...about };
  const noRoom = /input length and `?max_tokens`? exceed context limit(?:: (\d+) \+ \d+ > (\d+))?/i.exec(text);
  if (noRoom !== null) return { type: "prompt_too_long", ...numbers(noRoom[1], noRoom[2]), ...about };
  if (/credit balance|spend limit/i.test(text)) return { type: "billing", ...about };
  const details = error === undefined || !isRecord(error["details"]) ? undefined : error["details"];
  const blockPath = pathIn(details) ?? pathInText(text);
  const path = blockPath === undefined ? {} : { blockPath };
  if (isAboutMedia(text, details)) return { type: "media", ...path, ...about };
  const tool = /^tools\.(\d+)\./.exec(text)?.[1];
  return { type: "invalid_request", ...path, ...(tool === undefined ? {} : { toolIndex: Number(tool) }), ...about };
}

function numbers(tokens: string | undefined, limit: string | undefined): { tokens?: number; limit?: number } {
  return tokens === undefined || limit === undefined ? {} : { tokens: Number(tokens), limit: Number(limit) };
}

function isAboutMedia(text: string, details: Fields | undefined): boolean {
  if (details !== undefined && textIn(details, "error_code") === "image_dimensions_too_large") return true;
  if (/^tools\.\d/.test(text) || !/\b(images?|pdfs?|documents?|media[_ ]type)\b/i.test(text)) return false;
  return /exceed|too (large|many|big|long)|could not process|invalid|not valid|unsupported|maximum|dimension|password|should be|appears to be|mismatch|corrupt/i.test(
    text,
  );
}

function pathIn(details: Fields | undefined): string | undefined {
  const paths = details?.["paths"];
  const first: unknown = Array.isArray(paths) ? paths[0] : undefined;
  return typeof first === "string" ? first : undefined;
}

function pathInText(text: string): string | undefined {
  return /messages\.\d+\.content\.\d+(?:(?:\.tool_result)?\.content\.\d+)?/.exec(text)?.[0].replace(".tool_result", "");
}

function waits(
  headers: IncomingHttpHeaders,
  now: number,
): { retryAfterMs?: number; resetsAt?: number; window?: string } {
  const retryAfterMs = retryAfter(headers["retry-after"], now);
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

/** Seconds or a date. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
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
function pageText({ body, status, headers }: Refusal): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  const words = (title ?? body.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  if (status !== undefined && status >= 300 && status < 400) {
    return `the address redirects to ${headers.location ?? "another one"}; check the base URL`;
  }
  const said = words === "" ? "an empty body" : words;
  return status === 200 ? `a page in place of an answer; check the base URL: ${said}` : said;
}

function described(text: string, status: number | undefined, requestId: string | undefined): string {
  const facts = [
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const short = text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS).toWellFormed()}…` : text;
  return facts.length === 0 ? short : `${short} (${facts.join(", ")})`;
}
