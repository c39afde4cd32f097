import { PawlError } from "../../lib/error.ts";
import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import type { FetchSettings } from "./web/fetch-settings.ts";
import { type SearchResult, searchResults } from "./web/provider-search.ts";
import { domainOf, isIn } from "./web/search-domains.ts";
import type { EndpointHit, SearchEndpoint } from "./web/search-endpoint.ts";

const askEndpoint = onFirstCall(async () => (await import("./web/search-endpoint.ts")).askEndpoint);

/** Searches that the provider may make for one call. */
const MAX_SEARCHES_PER_CALL = 8;
const MAX_CALLS_PER_SESSION = 200;
const MAX_QUERY_CHARS = 1_000;
const MAX_DOMAINS = 50;
/** The state part that counts the calls, so that a resumed session goes on counting. */
const CALLS_PART = "webSearches";

export type SearchSettings = {
  /** Asked where the model's provider has no search. */
  endpoint?: SearchEndpoint;
  maxCalls?: number;
  fetch?: FetchSettings;
};

type Input = { query: string; allowed_domains?: readonly string[]; blocked_domains?: readonly string[] };
type Found = { content: string; results: SearchResult[]; searchCount: number };

export function createWebSearchTool(settings: SearchSettings = {}): Tool<Input> {
  const { maxCalls = MAX_CALLS_PER_SESSION, endpoint } = settings;

  async function search(input: Input, context: ToolContext): Promise<Found> {
    if (endpoint === undefined && context.searchWeb === undefined) throw noSearch();
    const calls = countOf(context.state.get(CALLS_PART));
    if (calls >= maxCalls)
      throw failure(`the limit of ${maxCalls} searches a session is reached (PAWL_MAX_WEB_SEARCHES_PER_SESSION)`);
    await context.state.set(CALLS_PART, calls + 1);
    return endpoint === undefined || context.searchWeb !== undefined
      ? byProvider(input, context)
      : byEndpoint(endpoint, settings, input, context);
  }

  const tool = defineTool({
    name: "WebSearch",
    description: `Searches the web for what is newer than you, or not in the project. Gives titles and addresses, and what they say about the query.

- allowed_domains gives results of these sites only, blocked_domains none of these: one of the two, as example.com without https://.
- Read a page that you rely on with WebFetch, and name the addresses of what you say.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to search for." },
        allowed_domains: {
          type: "array",
          items: { type: "string" },
          maxItems: MAX_DOMAINS,
          description: "Sites to search.",
        },
        blocked_domains: {
          type: "array",
          items: { type: "string" },
          maxItems: MAX_DOMAINS,
          description: "Sites to leave out.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    maxResultChars: 50_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: () => [{ type: "other" }],
    async run(input: Input, context: ToolContext): Promise<ToolResult> {
      const startedAt = context.now();
      const { content, results, searchCount } = await search(input, context);
      const durationSeconds = (context.now() - startedAt) / 1_000;
      return { content, structured: { query: input.query, results, durationSeconds, searchCount } };
    },
  });
  return { ...tool, parse: (input) => checked(tool.parse(input)) };
}

/** What the schema cannot say. */
function checked(parsed: ReturnType<Tool<Input>["parse"]>): ReturnType<Tool<Input>["parse"]> {
  if (!parsed.ok) return parsed;
  const { query, allowed_domains: allowed = [], blocked_domains: blocked = [] } = parsed.input;
  const issues = [
    ...(query.trim() === "" ? ["The parameter `query` is empty"] : []),
    ...(query.length > MAX_QUERY_CHARS ? [`The parameter \`query\` is longer than ${MAX_QUERY_CHARS} characters`] : []),
    ...(allowed.length > 0 && blocked.length > 0 ? ["Give `allowed_domains` or `blocked_domains`, not both"] : []),
    ...[...allowed, ...blocked]
      .filter((each) => domainOf(each) === undefined)
      .map((each) => `${JSON.stringify(each.slice(0, 100))} is no domain; write it like example.com`),
  ];
  return issues.length === 0 ? parsed : { ok: false, issues };
}

const domains = (list: readonly string[] = []) => list.flatMap((each) => domainOf(each) ?? []);

async function byProvider(input: Input, { searchWeb, signal }: ToolContext): Promise<Found> {
  if (searchWeb === undefined) throw noSearch();
  const allowed = domains(input.allowed_domains);
  const blocked = domains(input.blocked_domains);
  const blocks = await searchWeb({
    query: input.query,
    ...(allowed.length > 0 ? { allowedDomains: allowed } : {}),
    ...(blocked.length > 0 ? { blockedDomains: blocked } : {}),
    maxSearches: MAX_SEARCHES_PER_CALL,
    signal,
  });
  const { results, failures } = searchResults(blocks);
  const searchCount = results.filter((result) => typeof result !== "string").length;
  if (searchCount === 0)
    throw failure(failures.length > 0 ? `the provider said ${failures.join(", ")}` : "the provider made no search");
  const parts = results.map((result) =>
    typeof result === "string" ? result : `Links: ${JSON.stringify(result.content)}`,
  );
  const notes = failures.map((code) => `One search failed: ${code}.`);
  return { content: told(input, [...parts, ...notes]), results, searchCount };
}

async function byEndpoint(
  endpoint: SearchEndpoint,
  { fetch = {} }: SearchSettings,
  input: Input,
  { signal, toolUseId }: ToolContext,
): Promise<Found> {
  const allowed = domains(input.allowed_domains);
  const blocked = domains(input.blocked_domains);
  const sites = allowed.map((domain) => `site:${domain}`).join(" OR ");
  const hits = await askEndpoint(endpoint, [input.query, ...(sites === "" ? [] : [sites])].join(" "), fetch, signal);
  const isWanted = ({ url }: EndpointHit) =>
    (allowed.length === 0 || allowed.some((domain) => isIn(url, domain))) &&
    !blocked.some((domain) => isIn(url, domain));
  const kept = hits.filter(isWanted);
  const content = kept.map(({ title, url }) => ({ title, url }));
  const parts = kept.length === 0 ? ["Nothing was found. Try other words."] : kept.map(entryOf);
  return { content: told(input, parts), results: [{ tool_use_id: toolUseId, content }], searchCount: 1 };
}

const entryOf = ({ title, url, snippet }: EndpointHit, at: number): string =>
  [`${at + 1}. ${title}`, url, ...(snippet === "" ? [] : [snippet])].join("\n   ");

const told = ({ query }: Input, parts: readonly string[]): string =>
  [`Web search results for query: ${JSON.stringify(query)}`, ...parts].join("\n\n");

const countOf = (stored: unknown): number => (typeof stored === "number" && stored >= 0 ? stored : 0);

const failure = (why: string): PawlError => new PawlError("web_search", `The web was not searched: ${why}.`);

const noSearch = (): PawlError =>
  failure(
    "the model's provider has no search, and no other is set. The user can set PAWL_SEARCH_URL to the address of one, such as a SearXNG server's https://search.example.com/search",
  );
