import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { childController, onAbort } from "../../../lib/abort.ts";
import { messageOf, PawlError, systemCode } from "../../../lib/error.ts";
import { connectTo } from "../../../lib/http.ts";
import { proxyFor, socketHost } from "../../../lib/proxy.ts";
import { checkedUrl, isAllowedPrivate } from "./checked-url.ts";
import type { FetchSettings } from "./fetch-settings.ts";
import { publicLookup, refusePrivateHost } from "./public-address.ts";
import { readBody } from "./read-body.ts";

/** The whole fetch, redirects included. Milliseconds. */
const FETCH_TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 10;
const USER_AGENT = "Pawl-User (a person's coding agent)";

export type Page = {
  type: "page";
  /** Where it came from, redirects followed. */
  url: string;
  code: number;
  codeText: string;
  contentType: string;
  body: Buffer;
};
/** Another host is for whoever asked to decide about. */
export type Fetched = Page | { type: "redirect"; url: string; code: number; codeText: string };

/**
 * Gets a page by GET, over TLS, from a public address.
 *
 * @throws PawlError `web_fetch` that says what went wrong, `private_address`, or `aborted`.
 */
export async function fetchPage(address: string, settings: FetchSettings, signal: AbortSignal): Promise<Fetched> {
  const time = childController(signal);
  const { timeoutMs = FETCH_TIMEOUT_MS } = settings;
  const timer = setTimeout(() => time.abort(), timeoutMs);
  try {
    return await follow(checkedUrl(address, settings), settings, time.signal);
  } catch (error) {
    if (signal.aborted) throw new PawlError("aborted", "The fetch was cancelled.");
    if (time.signal.aborted) throw failure(address, `it took more than ${timeoutMs / 1000} s`);
    throw error instanceof PawlError ? error : failure(address, faultOf(error));
  } finally {
    clearTimeout(timer);
    time.release();
  }
}

async function follow(start: URL, settings: FetchSettings, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const answer = await get(url, settings, signal);
    if (answer.type === "page") return answer;
    const next = checkedUrl(new URL(answer.location, url).href, settings);
    if (!isSameSite(next, url))
      return { type: "redirect", url: next.href, code: answer.code, codeText: answer.codeText };
    url = next;
  }
  throw failure(start.href, `it was redirected more than ${MAX_REDIRECTS} times`);
}

/** `www.` in front makes no other host. */
const isSameSite = (a: URL, b: URL): boolean => siteOf(a) === siteOf(b);
const siteOf = ({ hostname, port }: URL) => `${hostname.replace(/^www\./, "")}:${port}`;

type Answer = Page | { type: "moved"; location: string; code: number; codeText: string };

async function get(url: URL, settings: FetchSettings, signal: AbortSignal): Promise<Answer> {
  const lookup = await lookupFor(url, settings);
  const { env = {}, ca } = settings;
  const connections = await connectTo(new URL(url.origin), {
    env,
    ...(lookup === undefined ? {} : { lookup }),
    ...(ca === undefined ? {} : { ca }),
  });
  try {
    const response = await respond(connections, url, settings, signal);
    const code = response.statusCode ?? 0;
    const codeText = response.statusMessage ?? "";
    const { location, "content-type": contentType = "" } = response.headers;
    if (code >= 300 && code < 400 && location !== undefined) return { type: "moved", location, code, codeText };
    return { type: "page", url: url.href, code, codeText, contentType, body: await readBody(response, signal) };
  } finally {
    connections.close();
  }
}

/**
 * How the host's name is to be looked up; undefined: as usual. A proxy looks names up itself: then only addresses and local
 * names can be checked. @throws PawlError `private_address`.
 */
export async function lookupFor(url: URL, settings: FetchSettings): Promise<LookupFunction | undefined> {
  if (isAllowedPrivate(url, settings)) return undefined;
  await refusePrivateHost(socketHost(url), url.host);
  return proxyFor(url, settings.env ?? {}) === undefined ? publicLookup(settings.resolve, url.host) : undefined;
}

function respond(
  connections: Awaited<ReturnType<typeof connectTo>>,
  url: URL,
  { userAgent = USER_AGENT, headers: more = {} }: FetchSettings,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: url.host,
      accept: "text/markdown, text/html, text/plain;q=0.9, */*;q=0.5",
      "accept-encoding": "gzip, br", // not deflate: servers do not agree on what it is
      "user-agent": userAgent,
      ...more,
    };
    const request = connections.request({ method: "GET", path: url.pathname + url.search, headers });
    const release = onAbort(signal, () => request.destroy(new Error("aborted")));
    request.once("response", resolve);
    request.once("error", reject);
    request.once("close", release);
    request.end();
  });
}

/** Node says of a connection that broke off only that it was aborted. */
const faultOf = (error: unknown): string =>
  systemCode(error) === "ECONNRESET" ? "the connection broke off before the end" : messageOf(error);

function failure(address: string, why: string): PawlError {
  return new PawlError("web_fetch", `${address} could not be fetched: ${why}.`);
}
