import { validateHeaderName, validateHeaderValue } from "node:http";
import { PawlError } from "../../lib/error.ts";

const API_VERSION = "2023-06-01";

/** A key or token, or a function that is asked for it before each request; `signal` ends the request. */
export type Credential = string | ((signal: AbortSignal) => string | Promise<string>);

export type Credentials = {
  /** `x-api-key` */
  apiKey?: Credential;
  /** `Authorization: Bearer` */
  authToken?: Credential;
};

/** What every request carries, checked once; the credentials and the betas come on top. */
export function fixedHeaders(own: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "text/event-stream",
    "accept-encoding": "identity",
    "anthropic-version": API_VERSION,
    "user-agent": "pawl",
  };
  for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = checked(name, value);
  return headers;
}

/** @throws PawlError `bad_option` when a credential cannot stand in a header. */
export async function credentialHeaders(
  { apiKey, authToken }: Credentials,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const key = await resolved(apiKey, signal);
  const token = await resolved(authToken, signal);
  return {
    ...(key ? { "x-api-key": checked("ANTHROPIC_API_KEY", key) } : {}),
    ...(token ? { authorization: checked("ANTHROPIC_AUTH_TOKEN", `Bearer ${token}`) } : {}),
  };
}

/** @throws PawlError `bad_option` that names `name` and never shows the value. */
function checked(name: string, value: string): string {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    const fix = /[\r\n]/.test(value) ? "take out the line break" : "use letters, digits and signs of ASCII only";
    throw new PawlError("bad_option", `${JSON.stringify(name)} cannot be sent as a header; ${fix}`, { cause });
  }
  return value;
}

const resolved = (credential: Credential | undefined, signal: AbortSignal): string | undefined | Promise<string> =>
  typeof credential === "function" ? credential(signal) : credential;

const MIN_SECRET_CHARS = 8;

/** The values that must never be shown. Shorter ones are no keys, and striking them out would garble a text. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /authorization|api-?key|token|secret|cookie/i.test(name))
    .map(([, value]) => value.replace(/^(bearer|basic)\s+/i, ""))
    .filter((value) => value.length >= MIN_SECRET_CHARS);
}
