import { PawlError } from "../../../lib/error.ts";
import type { FetchSettings } from "./fetch-settings.ts";

/** Of an address. */
export const MAX_URL_CHARS = 2_000;

/** The address of a page as it is asked for: over TLS, without its fragment. @throws PawlError `web_fetch` for one that is none. */
export function checkedUrl(address: string, settings: FetchSettings): URL {
  const url = parsed(address);
  if (url === undefined) {
    const form = `of at most ${MAX_URL_CHARS.toLocaleString("en")} characters, such as https://example.com/page`;
    throw refused(address, `it is not an address ${form}`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refused(url.href, "only http and https are fetched");
  return secured(url, settings);
}

/** The same of a web socket. */
export function checkedSocketUrl(address: string, settings: FetchSettings): URL {
  const url = parsed(address);
  if (url === undefined || (url.protocol !== "wss:" && url.protocol !== "ws:"))
    throw refused(address, "it is not an address of a web socket, such as wss://example.com/events", "watched");
  return secured(url, settings, "watched");
}

/** Whether the user has allowed the host although it is private. */
export const isAllowedPrivate = ({ host, hostname }: URL, { privateHosts = [] }: FetchSettings): boolean =>
  privateHosts.includes(host) || privateHosts.includes(hostname);

const parsed = (address: string): URL | undefined =>
  address.length <= MAX_URL_CHARS && URL.canParse(address) ? new URL(address) : undefined;

const secure: Readonly<Record<string, string>> = { "http:": "https:", "ws:": "wss:" };

function secured(url: URL, settings: FetchSettings, verb?: Verb): URL {
  if (url.username !== "" || url.password !== "")
    throw refused(url.origin, "it holds a name or password: leave them out", verb);
  url.hash = "";
  if (!isAllowedPrivate(url, settings)) url.protocol = secure[url.protocol] ?? url.protocol;
  return url;
}

type Verb = "fetched" | "watched";

const refused = (address: string, why: string, verb: Verb = "fetched"): PawlError =>
  new PawlError("web_fetch", `${address.slice(0, 100)} could not be ${verb}: ${why}.`);
