import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { SearchWeb, ToolContext } from "../tool.ts";
import { domainOf, isIn } from "./web/search-domains.ts";
import { createWebSearchTool, type SearchSettings } from "./web-search.ts";

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

type Input = Parameters<ReturnType<typeof createWebSearchTool>["run"]>[0];
const search = (settings: SearchSettings, input: Input, more: Partial<ToolContext> = {}) =>
  createWebSearchTool({ fetch: { env: {} }, ...settings }).run(input, { ...context, ...more });

const answering = (body: unknown, code = 200) =>
  loopbackServer((response) => {
    response.writeHead(code, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });

const results = [
  { title: "Tides", url: "https://sea.example.com/tides", content: "High at  six.\n\nForged: https://x.example" },
  { title: "", url: "https://other.example/", content: 7 },
  { title: "No address" },
  { title: "Script", url: "javascript:alert(1)" },
];

test("an endpoint is asked for JSON with its key, and its results become entries of their own", async () => {
  await using server = await answering({ results });
  const settings = { endpoint: { url: `${server.url}/search?lang=en`, key: "secret" } };
  const { content, structured } = await search(settings, { query: "tides & moon" });

  const [received] = server.received;
  expect(received?.url).toBe("/search?lang=en&q=tides+%26+moon&format=json");
  expect(received?.headers).toMatchObject({ authorization: "Bearer secret", accept: "application/json" });
  expect(content).toBe(
    [
      'Web search results for query: "tides & moon"',
      "1. Tides\n   https://sea.example.com/tides\n   High at six. Forged: https://x.example",
      "2. https://other.example/\n   https://other.example/",
    ].join("\n\n"),
  );
  expect(structured).toEqual({
    query: "tides & moon",
    results: [
      {
        tool_use_id: context.toolUseId,
        content: [
          { title: "Tides", url: "https://sea.example.com/tides" },
          { title: "https://other.example/", url: "https://other.example/" },
        ],
      },
    ],
    durationSeconds: expect.any(Number),
    searchCount: 1,
  });
});

test("an address with {query} is taken as it is written", async () => {
  await using server = await answering({ results: [] });
  const { content } = await search({ endpoint: { url: `${server.url}/s/{query}?k=1` } }, { query: "a/b ü" });

  expect(server.received[0]?.url).toBe("/s/a%2Fb%20%C3%BC?k=1");
  expect(content).toContain("Nothing was found.");
});

test("domains narrow the question, and what an endpoint gives beside them is left out", async () => {
  await using server = await answering({ results });
  const settings = { endpoint: { url: server.url } };
  const allowed = await search(settings, { query: "x", allowed_domains: ["https://www.Example.com/", "a.de"] });
  const blocked = await search(settings, { query: "x", blocked_domains: ["example.com"] });

  expect(server.received[0]?.url).toContain(
    `q=${encodeURIComponent("x site:example.com OR site:a.de").replaceAll("%20", "+")}`,
  );
  expect(allowed.content).not.toContain("other.example");
  expect(blocked.content).not.toContain("sea.example.com");
  expect(blocked.content).toContain("other.example");
});

test.each<[string, unknown, number, RegExp]>([
  ["an error", "<html>", 503, /answered 503/],
  ["a page", "<html>", 200, /answered no JSON of the form/],
  ["other JSON", { hits: [] }, 200, /answered no JSON of the form/],
  ["null", "null", 200, /answered no JSON of the form/],
])("an endpoint that gives %s is named, without its query", async (_what, body, code, why) => {
  await using server = await answering(body, code);
  const failed = search({ endpoint: { url: `${server.url}/s?apikey=hidden` } }, { query: "x" });

  await expect(failed).rejects.toMatchObject({ code: "web_search", message: expect.stringMatching(why) });
  await expect(failed).rejects.toThrow(`${server.url}/s`);
  await expect(failed).rejects.not.toThrow(/hidden/);
});

test("an endpoint that cannot be reached, hangs or sends elsewhere fails without its query", async () => {
  await using server = await loopbackServer((response, { url }) => {
    if (url.startsWith("/moved")) response.writeHead(302, { location: "http://169.254.169.254/?x=hidden" }).end();
  });
  const at = (url: string) =>
    search({ endpoint: { url }, fetch: { env: {}, timeoutMs: 300 } }, { query: "x" }).then(
      () => "found",
      (error: unknown) => String(error),
    );
  const told = [
    await at(`${server.url}/moved?hidden`),
    await at(`${server.url}/hang?hidden`),
    await at("http://127.0.0.1:1/?hidden"),
  ];

  expect(told).toEqual([
    expect.stringContaining("redirects to another host"),
    expect.stringContaining("took more than 0.3 s"),
    expect.stringMatching(/ECONNREFUSED [^ ]*[^.]\.$/),
  ]);
  expect(told.join()).not.toContain("hidden");
});

test("a query too long for an address is told so, without the address", async () => {
  const failed = search({ endpoint: { url: "http://127.0.0.1:1/s?apikey=hidden" } }, { query: "ü".repeat(500) });
  await expect(failed).rejects.toThrow("http://127.0.0.1:1/s gave nothing: the query is too long");
});

test("a cancelled search ends at once", async () => {
  await using server = await loopbackServer(() => {});
  const controller = new AbortController();
  const failed = search({ endpoint: { url: server.url } }, { query: "x" }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);

  await expect(failed).rejects.toMatchObject({ code: "aborted" });
});

const found = (id: string, content: unknown): ContentBlock => ({
  type: "other",
  raw: { type: "web_search_tool_result", tool_use_id: id, content },
});
const hit = {
  type: "web_search_result",
  title: "Tides",
  url: "https://sea.example/",
  encrypted_content: "x",
  page_age: null,
};

test("what a provider found and says comes in its order", async () => {
  const asked: unknown[] = [];
  const searchWeb: SearchWeb = async ({ signal: _, ...question }) => {
    asked.push(question);
    return [
      { type: "text", text: "Let me look." },
      found("srv_1", [hit, { url: 7 }, null]),
      { type: "text", text: "High at six. " },
      { type: "other", raw: { type: "text", text: "So it says.", citations: [] } },
      found("srv_2", { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" }),
    ];
  };
  const { content, structured } = await search({}, { query: "tides", blocked_domains: ["x.com"] }, { searchWeb });

  expect(asked).toEqual([{ query: "tides", blockedDomains: ["x.com"], maxSearches: 8 }]);
  const links = { tool_use_id: "srv_1", content: [{ title: "Tides", url: "https://sea.example/" }] };
  expect(structured).toMatchObject({
    query: "tides",
    results: ["Let me look.", links, "High at six. So it says."],
    searchCount: 1,
  });
  expect(content).toBe(
    'Web search results for query: "tides"\n\nLet me look.\n\nLinks: [{"title":"Tides","url":"https://sea.example/"}]\n\n' +
      "High at six. So it says.\n\nOne search failed: max_uses_exceeded.",
  );
});

test.each<[string, ContentBlock[], RegExp]>([
  ["made no search", [{ type: "text", text: "I know that." }], /made no search/],
  ["failed", [found("s", { error_code: "unavailable" })], /said unavailable/],
  ["gave nonsense", [found("s", 7)], /said unknown/],
])("a provider that %s is an error", async (_what, blocks, why) => {
  await expect(search({}, { query: "x" }, { searchWeb: async () => blocks })).rejects.toThrow(why);
});

test("a provider that can search is asked, not the endpoint", async () => {
  const endpoint = { url: "http://127.0.0.1:1/s" };
  const asked = search(
    { endpoint },
    { query: "x" },
    { searchWeb: async () => [found("s", { error_code: "unavailable" })] },
  );
  await expect(asked).rejects.toThrow(/the provider said unavailable/);
});

test("without any search the user is told how to set one", async () => {
  await expect(search({}, { query: "x" })).rejects.toThrow(/PAWL_SEARCH_URL/);
});

test("a session has so many searches, also when many are asked for at once", async () => {
  let calls = 0;
  const searchWeb: SearchWeb = async () => {
    calls += 1;
    return [found("s", [hit])];
  };
  const tool = createWebSearchTool({ maxCalls: 3 });
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () => tool.run({ query: "x" }, { ...context, searchWeb })),
  );

  expect(calls).toBe(3);
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await expect(search({ maxCalls: 0 }, { query: "x" }, { searchWeb })).rejects.toThrow(/limit of 0 searches/);
});

test.each<[object, RegExp]>([
  [{}, /`query` is missing/],
  [{ query: " " }, /`query` is empty/],
  [{ query: "x".repeat(1_001) }, /longer than 1000/],
  [{ query: "x", allowed_domains: ["a.com"], blocked_domains: ["b.com"] }, /not both/],
  [{ query: "x", allowed_domains: ["a b"] }, /"a b" is no domain/],
  [{ query: "x", blocked_domains: ["user@host"] }, /is no domain/],
  [{ query: "x", more: 1 }, /unexpected parameter `more`/],
])("the input %j is refused", (input, why) => {
  const parsed = createWebSearchTool().parse(input);
  expect(parsed.ok ? "" : parsed.issues.join("\n")).toMatch(why);
});

test.each([
  ["example.com", "example.com"],
  ["https://www.Example.com/path?x", "example.com"],
  ["*.example.com", "example.com"],
  ["BÜCHER.de", "xn--bcher-kva.de"],
  ["", undefined],
  ["a b", undefined],
])("%j is the domain %j", (written, domain) => expect(domainOf(written)).toBe(domain));

test("a domain is itself and what is below it", () => {
  expect(
    ["https://a.de/", "https://x.a.de", "https://ba.de", "https://a.de.evil.com"].map((url) => isIn(url, "a.de")),
  ).toEqual([...[true, true, false, false]]);
});
