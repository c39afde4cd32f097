import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { answers200, STREAM, text, use } from "../recovery/answers.ts";
import { ask, liveSession } from "../recovery/live-session.ts";
import { sse } from "../support/anthropic.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { lines, oneTurn, place } from "./engine-harness.ts";

type Block = { type: string; [field: string]: unknown };
const hit = {
  type: "web_search_result",
  title: "Tides",
  url: "https://sea.example/",
  encrypted_content: "x",
  page_age: null,
};
const found = (id: string): Block[] => [
  { type: "server_tool_use", id, name: "web_search", input: { query: "tides" } },
  { type: "web_search_tool_result", tool_use_id: id, content: [hit] },
];

/** A whole answer of blocks that come in one piece each. */
function wire(id: string, blocks: readonly Block[], stop = "end_turn"): string {
  const message = { id, model: "claude-haiku-5-5", content: [], usage: { input_tokens: 1_000_000, output_tokens: 1 } };
  return sse(
    { type: "message_start", message },
    ...blocks.flatMap((content_block, index) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 0 } },
    { type: "message_stop" },
  );
}

type Search = { model: string; tools: Block[]; messages: { role: string; content: Block[] }[] };

test("the provider searches beside the conversation, also after a pause, and its price is in the ledger", async () => {
  const searches: Search[] = [];
  await using server = await loopbackServer((response, { body }) => {
    const request = JSON.parse(body) as Search;
    if (request.tools[0]?.type === "web_search_20250305") {
      searches.push(request);
      const isFirst = searches.length === 1;
      const blocks = isFirst ? found("srvtoolu_1") : [...found("srvtoolu_2"), { type: "text", text: "High at six." }];
      return response
        .writeHead(200, STREAM)
        .end(wire(`msg_s${searches.length}`, blocks, isFirst ? "pause_turn" : "end_turn"));
    }
    if (request.messages.length > 1) return answers200(text("Done."))(response);
    answers200({ blocks: [use("toolu_1", "WebSearch", { query: "tides", allowed_domains: ["sea.example"] })] })(
      response,
    );
  });
  await using session = await liveSession(server.url, { allowedTools: ["WebSearch"], maxBudgetUsd: 5 });
  const { frames, result } = await ask(session, "When is high tide?");

  expect(searches.map(({ model, tools }) => [model, tools])).toEqual(
    [8, 7].map((max_uses) => [
      "claude-haiku-5-5",
      [{ type: "web_search_20250305", name: "web_search", max_uses, allowed_domains: ["sea.example"] }],
    ]),
  );
  expect(searches[1]?.messages.at(-1)).toMatchObject({ role: "assistant", content: found("srvtoolu_1") });
  const structured = frames.flatMap((frame) => (frame.type === "user" ? [frame.tool_use_result] : []));
  const content = [{ title: "Tides", url: "https://sea.example/" }];
  expect(structured).toEqual([
    {
      query: "tides",
      results: [{ tool_use_id: "srvtoolu_1", content }, { tool_use_id: "srvtoolu_2", content }, "High at six."],
      durationSeconds: expect.any(Number),
      searchCount: 2,
    },
  ]);
  expect(result.result).toBe("Done.");
  const usage = result.modelUsage["claude-haiku-5-5"];
  expect(usage?.webSearchRequests).toBe(2);
  expect(usage?.costUSD).toBeCloseTo(2 * (0.1 + 0.01));
  const ledger = (await lines(session.engine.transcriptPath)).filter(
    ({ kind, source }) => kind === "ledger" && source === "side",
  );
  expect(ledger).toMatchObject([{ webSearches: 1 }, { webSearches: 1 }]);
});

test("a provider that refuses the search is an error result with its words, and the conversation goes on", async () => {
  const error = { type: "error", error: { type: "invalid_request_error", message: "web search is not enabled" } };
  await using server = await loopbackServer((response, { body }) => {
    const { tools, messages } = JSON.parse(body) as Search;
    if (tools[0]?.["name"] === "web_search") return response.writeHead(400).end(JSON.stringify(error));
    if (messages.length > 1) return answers200(text("Then not."))(response);
    answers200({ blocks: [use("toolu_1", "WebSearch", { query: "tides" })] })(response);
  });
  await using session = await liveSession(server.url, { allowedTools: ["WebSearch"] });
  const { result } = await ask(session, "go");

  expect(JSON.stringify(session.engine.messages)).toContain("web search is not enabled");
  expect(result.result).toBe("Then not.");
});

test("by an endpoint of the environment any model searches, and what it may ask is bounded by a variable", async () => {
  await using server = await loopbackServer((response) => {
    response.end(JSON.stringify({ results: [{ title: "Tides", url: "https://sea.example/", content: "Six." }] }));
  });
  await using at = await place();
  const model = scriptedModel([uses("WebSearch", { query: "a" }), uses("WebSearch", { query: "b" }), says("Done.")]);
  const env = { ...at.options.env, PAWL_SEARCH_URL: server.url, CLAUDE_CODE_MAX_WEB_SEARCHES_PER_SESSION: "1" };
  await oneTurn({ ...at.options, env, model, allowedTools: ["WebSearch"] });

  expect(server.received).toHaveLength(1);
  const contents = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
  expect(contents).toEqual([expect.stringContaining("sea.example"), expect.stringContaining("limit of 1 searches")]);
});

test("a search asks before it goes out", async () => {
  await using at = await place();
  const model = scriptedModel([uses("WebSearch", { query: "a" }), says("Done.")]);
  const { result } = await oneTurn({ ...at.options, model });

  expect(result.permission_denials).toMatchObject([{ tool_name: "WebSearch" }]);
});
