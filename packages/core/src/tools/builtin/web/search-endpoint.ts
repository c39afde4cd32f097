import { messageOf, PawlError } from "../../../lib/error.ts";
import { isRecord } from "../../../messages/api-shape.ts";
import { MAX_URL_CHARS } from "./checked-url.ts";
import { fetchPage } from "./fetch-page.ts";
import type { FetchSettings } from "./fetch-settings.ts";
import type { SearchHit } from "./provider-search.ts";

/** Where searches are asked for, by the contract in docs/tools.md. */
export type SearchEndpoint = {
  /** With `{query}` where the query goes; else it becomes the parameter `q`, and `format=json` is added. */
  url: string;
  /** Sent as a bearer token. */
  key?: string;
};
export type EndpointHit = SearchHit & { snippet: string };

const SEARCH_TIMEOUT_MS = 30_000;
const MAX_HITS = 20;
const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 500;

/** @throws PawlError `web_search` that says what went wrong and never holds the address's query or the key; or `aborted`. */
export async function askEndpoint(
  { url, key }: SearchEndpoint,
  query: string,
  settings: FetchSettings,
  signal: AbortSignal,
): Promise<EndpointHit[]> {
  const address = addressOf(url, query);
  const place = address.origin + address.pathname;
  if (address.href.length > MAX_URL_CHARS)
    throw failure(place, "the query is too long for its address; use fewer words");
  const page = await fetchPage(
    address.href,
    {
      ...settings,
      privateHosts: [address.host], // the user has named it
      headers: { accept: "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      timeoutMs: settings.timeoutMs ?? SEARCH_TIMEOUT_MS,
    },
    signal,
  ).catch((error: unknown) => {
    if (signal.aborted) throw new PawlError("aborted", "The search was cancelled.");
    throw failure(place, messageOf(error).replaceAll(address.href, "it").replace(/\.$/, ""));
  });
  if (page.type === "redirect") throw failure(place, "it redirects to another host: name that one");
  if (page.code >= 400) throw failure(place, `it answered ${page.code} ${page.codeText}`);
  return hitsIn(page.body.toString("utf8"), place);
}

function addressOf(template: string, query: string): URL {
  const isTemplate = template.includes("{query}");
  const text = template.replaceAll("{query}", encodeURIComponent(query.toWellFormed()));
  if (!URL.canParse(text)) throw failure("", "PAWL_SEARCH_URL is no address such as https://search.example.com/search");
  const url = new URL(text);
  if (isTemplate) return url;
  url.searchParams.set("q", query);
  url.searchParams.set("format", "json");
  return url;
}

function hitsIn(text: string, place: string): EndpointHit[] {
  const wrong = () => failure(place, 'it answered no JSON of the form {"results": [{"title", "url", "content"}]}');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong();
  }
  const results = isRecord(body) ? body["results"] : undefined;
  if (!Array.isArray(results)) throw wrong();
  return results.flatMap(hitOf).slice(0, MAX_HITS);
}

function hitOf(result: unknown): EndpointHit[] {
  const { title, url, content } = isRecord(result) ? result : {};
  if (typeof url !== "string" || !/^https?:/i.test(url) || !URL.canParse(url)) return [];
  return [{ title: line(title, MAX_TITLE_CHARS) || url, url, snippet: line(content, MAX_SNIPPET_CHARS) }];
}

/** One line, so that no result can look like another one. */
const line = (text: unknown, maxChars: number): string =>
  typeof text === "string" ? text.replace(/\s+/g, " ").trim().slice(0, maxChars).toWellFormed() : "";

const failure = (place: string, why: string): PawlError =>
  new PawlError("web_search", `The search endpoint ${place} gave nothing: ${why}.`);
