import { PawlError } from "../../lib/error.ts";
import { type ProxyEnv, proxyFor } from "../../lib/proxy.ts";

export const DEFAULT_BASE_URL = "https://api.anthropic.com";
const MESSAGES_PATH = "/v1/messages";

export type Address = { origin: URL; path: string };

/**
 * Where messages are sent.
 *
 * @throws PawlError `bad_option` for an address or a proxy that cannot be used, `missing_key` for the provider's own address
 * without a credential; another address may need none.
 */
export function addressOf(
  baseUrl: string | undefined,
  env: ProxyEnv,
  { hasCredential }: { hasCredential: boolean },
): Address {
  const text = baseUrl?.trim() || DEFAULT_BASE_URL;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw badAddress(`"${text}" is no http or https address`);
  }
  if (url.username !== "" || url.password !== "") {
    throw badAddress("it holds a name or a password; set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN");
  }
  if (url.search !== "" || url.hash !== "") throw badAddress(`"${text}" has a query or a fragment`);
  if (!hasCredential && url.origin === DEFAULT_BASE_URL) {
    throw new PawlError("missing_key", "no API key: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN)");
  }
  proxyFor(url, env);
  return { origin: new URL(url.origin), path: `${url.pathname.replace(/\/+$/, "")}${MESSAGES_PATH}` };
}

/** As it may be set. */
export const baseUrlOf = ({ origin, path }: Address): string =>
  `${origin.origin}${path.slice(0, path.length - MESSAGES_PATH.length)}`;

const badAddress = (why: string): PawlError =>
  new PawlError("bad_option", `ANTHROPIC_BASE_URL cannot be used: ${why}; write it like ${DEFAULT_BASE_URL}`);
