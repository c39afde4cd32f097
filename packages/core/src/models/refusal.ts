import type { ModelFailure, Phase } from "./failure.ts";

/** What a provider's refusal is about. `permission` and `auth` are one failure, with its own status each. */
export type RefusalKind =
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

/** What a provider said instead of an answer, read from its headers and body. */
type Refusal = {
  kind: RefusalKind;
  /** In the provider's words. */
  text: string;
  status?: number;
  requestId?: string;
  /** Short names of the failure, as providers have them. */
  codes?: readonly string[];
  /** Of an invalid request, in fields. */
  details?: Readonly<Record<string, unknown>>;
  phase: Phase;
  waits: { retryAfterMs?: number; resetsAt?: number; window?: string };
};

/** The failure that a refusal is; an invalid request is sorted further by what its text says. */
export function failureOfRefusal(refusal: Refusal): ModelFailure {
  const { kind, phase, waits } = refusal;
  const about = { ...(refusal.status === undefined ? {} : { status: refusal.status }), message: described(refusal) };
  // Gateways wrap it in statuses of their own.
  const tooLong = kind === "invalid_request" || kind === "server" ? promptTooLong(refusal) : undefined;
  if (tooLong !== undefined) return { type: "prompt_too_long", ...tooLong, ...about };
  switch (kind) {
    case "invalid_request":
      return invalidRequest(refusal, about);
    case "rate_limited":
      return { type: kind, ...waits, ...about };
    case "auth":
    case "permission":
      return { ...about, type: "auth", status: refusal.status === 403 || kind === "permission" ? 403 : 401 };
    case "overloaded":
    case "server":
    case "timeout": {
      const { retryAfterMs } = waits;
      return { type: kind, phase, ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...about };
    }
    case "prompt_too_long":
      return { type: kind, ...about };
    case "billing":
    case "not_found":
      return { type: kind, ...about };
    default:
      return kind satisfies never;
  }
}

const kindsOfStatus: Readonly<Record<number, RefusalKind>> = {
  401: "auth",
  402: "billing",
  403: "permission",
  404: "not_found",
  408: "timeout",
  409: "server",
  413: "prompt_too_long",
  425: "server",
  429: "rate_limited",
  504: "timeout",
  529: "overloaded",
};

/** What a status alone says. */
export function kindOfStatus(status: number): RefusalKind {
  const kind = kindsOfStatus[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return "server";
  // Another address answers: the base URL is not that of the API.
  return status < 400 ? "not_found" : "invalid_request";
}

type About = { status?: number; message: string };

function invalidRequest({ text, details }: Refusal, about: About): ModelFailure {
  if (/credit balance|spend limit/i.test(text)) return { type: "billing", ...about };
  const blockPath = pathIn(details) ?? pathInText(text);
  const path = blockPath === undefined ? {} : { blockPath };
  if (isAboutMedia(text, details)) return { type: "media", ...path, ...about };
  const outputLimit = outputLimitIn(text);
  if (outputLimit !== undefined) return { type: "invalid_request", outputLimit, ...about };
  const tool = /^tools\.(\d+)\./.exec(text)?.[1];
  return { type: "invalid_request", ...path, ...(tool === undefined ? {} : { toolIndex: Number(tool) }), ...about };
}

/** The most tokens of output that a model gives, in the words of a provider that was asked for more. */
function outputLimitIn(text: string): number | undefined {
  const found =
    /max_tokens: \d+ > (\d+)/i.exec(text) ??
    /at most (\d+) (?:completion|output) tokens/i.exec(text) ??
    /max(?:imum)?[_ ]tokens\b.*exceeds the model limit of (\d+)/i.exec(text);
  const limit = Number(found?.[1]);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
}

/** How providers say that a request is longer than the model's window: with the tokens and the limit where they tell both. */
const tooLongForms = [
  /prompt is too long(?::\s*(\d+) tokens > (\d+) maximum)?/i,
  /input length and `?max_tokens`? exceed context limit(?:: (\d+) \+ \d+ > (\d+))?/i,
  /input token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)/i,
  /input is too long for|maximum (?:context|prompt) length is/i,
  /context[ _]?(?:length|window|size)[ _]?exceeded|exceeds? the (?:available |maximum )?context|exceed_context_size/i,
];

/** Undefined for what is wrong in another way. */
function promptTooLong({ text, codes = [] }: Refusal): { tokens?: number; limit?: number } | undefined {
  const told = [text, ...codes].join("\n");
  for (const form of tooLongForms) {
    const found = form.exec(told);
    if (found !== null) return numbers(found[1], found[2]);
  }
  return undefined;
}

function numbers(tokens: string | undefined, limit: string | undefined): { tokens?: number; limit?: number } {
  return tokens === undefined || limit === undefined ? {} : { tokens: Number(tokens), limit: Number(limit) };
}

function isAboutMedia(text: string, details: Refusal["details"]): boolean {
  if (details?.["error_code"] === "image_dimensions_too_large") return true;
  if (/^tools\.\d/.test(text) || !/\b(images?|pdfs?|documents?|media[_ ]type)\b/i.test(text)) return false;
  return /exceed|too (large|many|big|long)|could not process|invalid|not valid|unsupported|maximum|dimension|password|should be|appears to be|mismatch|corrupt/i.test(
    text,
  );
}

function pathIn(details: Refusal["details"]): string | undefined {
  const paths = details?.["paths"];
  const first: unknown = Array.isArray(paths) ? paths[0] : undefined;
  return typeof first === "string" ? first : undefined;
}

function pathInText(text: string): string | undefined {
  return /messages\.\d+\.content\.\d+(?:(?:\.tool_result)?\.content\.\d+)?/.exec(text)?.[0].replace(".tool_result", "");
}

const MAX_MESSAGE_CHARS = 2_000;

function described({ text, status, requestId }: Refusal): string {
  const facts = [
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const short = text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS).toWellFormed()}…` : text;
  return facts.length === 0 ? short : `${short} (${facts.join(", ")})`;
}
