import type { ServerResponse } from "node:http";
import { tool, violations } from "@pawl/core";
import { describe, expect, test } from "vitest";
import { sse } from "../support/anthropic.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { answers200, freshId, type SseEvent, STREAM, text } from "./answers.ts";
import { ask, errorsOf, liveSession } from "./live-session.ts";
import { bodyOf, expectContinued } from "./wire.ts";

/** Answers that break the API's own rules: nothing of them bricks the session, and no call that may be half runs. */

const start = (): SseEvent => ({
  type: "message_start",
  message: { id: freshId(), model: "claude-sonnet-5-5", usage: { input_tokens: 10, output_tokens: 1 } },
});

const end = (stop: string): SseEvent[] => [
  { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

const opened = (index: number, content_block: object): SseEvent => ({
  type: "content_block_start",
  index,
  content_block,
});

const block = (index: number, content_block: object): SseEvent[] => [
  opened(index, content_block),
  { type: "content_block_stop", index },
];

const said = block(1, { type: "text", text: "Well." });

/** The server's answers one after another, then plain ones. */
const serving = (...answers: (readonly SseEvent[])[]) =>
  loopbackServer((response: ServerResponse, _received, count) => {
    const events = answers[count - 1];
    if (events === undefined) answers200(text(`Answer ${count}.`))(response);
    else response.writeHead(200, STREAM).end(sse(...events));
  });

/** A session with a tool of which no argument is needed, and what it was called with. */
async function acting(url: string) {
  const ran: unknown[] = [];
  const act = tool("act", "Acts.", { type: "object" }, async (input) => {
    ran.push(input);
    return "done";
  });
  return { ran, session: await liveSession(url, { customTools: [act], allowedTools: ["act"] }) };
}

describe("a block that no request may hold is no part of the history", () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;

  test.each<[what: string, json: string]>([
    ["thinking without a signature (B3)", '{"type":"thinking","thinking":"hm"}'],
    ["sealed thinking without data", '{"type":"redacted_thinking"}'],
    ["a result of a call that it never made", '{"type":"tool_result","tool_use_id":"toolu_9","content":"x"}'],
    ["an unknown kind, nested too deeply to be written again", `{"type":"strange","x":${deep}}`],
  ])("%s", async (_what, json) => {
    const odd = `data: {"type":"content_block_start","index":0,"content_block":${json}}\n\n`;
    const after = sse({ type: "content_block_stop", index: 0 }, ...said, ...end("end_turn"));
    await using server = await loopbackServer((response, _received, count) => {
      if (count > 1) answers200(text("Fine."))(response);
      else response.writeHead(200, STREAM).end(sse(start()) + odd + after);
    });
    await using session = await liveSession(server.url, { includePartialMessages: true });

    const first = await ask(session, "go");
    const second = await ask(session, "and now?");

    expect([first.result.result, second.result.result]).toEqual(["Well.", "Fine."]);
    expect(JSON.stringify(first.frames)).toContain("Well.");
    expect(session.engine.messages[1]?.content).toEqual([{ type: "text", text: "Well." }]);
    expectContinued(server.received);
  });
});

describe("a call", () => {
  test.each<[what: string, call: object]>([
    ["an id", { type: "tool_use", name: "act", input: {} }],
    ["an input", { type: "tool_use", id: "toolu_1", name: "act" }],
  ])("without %s runs and gets its result, although words stand before it", async (_what, call) => {
    const words = block(0, { type: "text", text: "I act." });
    await using server = await serving([start(), ...words, ...block(1, call), ...end("tool_use")]);
    const { ran, session } = await acting(server.url);
    await using _session = session;

    expect((await ask(session, "go")).result.result).toBe("Answer 2.");

    expect(ran).toEqual([{}]);
    expectContinued(server.received);
  });

  test("that is still open when the answer ends does not run and is told, although a text came after it (B12)", async () => {
    const open = opened(0, { type: "tool_use", id: "toolu_1", name: "act", input: {} });
    const input = { type: "input_json_delta", partial_json: '{"x": 1}' };
    const delta = { type: "content_block_delta", index: 0, delta: input };
    await using server = await serving([start(), open, delta, ...said.slice(0, 1), ...end("tool_use")]);
    const { ran, session } = await acting(server.url);
    await using _session = session;

    const { result } = await ask(session, "go");

    expect([ran, result.is_error, server.received.length]).toEqual([[], false, 2]);
    expect(JSON.stringify(bodyOf(server.received[1] ?? { body: "" }).messages.at(-1))).toContain(
      "Your call of act was cut",
    );
    expectContinued(server.received);
  });

  test("that the output limit cut before its input does not run, though the server closed its block (B12)", async () => {
    const cut = () => [
      start(),
      ...block(0, { type: "tool_use", id: "toolu_1", name: "act", input: {} }),
      ...end("max_tokens"),
    ];
    await using server = await serving(cut(), cut());
    const { ran, session } = await acting(server.url);
    await using _session = session;

    await ask(session, "go");

    expect(ran).toEqual([]);
    expect(server.received.map((request) => bodyOf(request).max_tokens)).toEqual([8_000, 64_000, 64_000]);
    expectContinued(server.received);
  });

  test("that takes no input runs when the answer ended by itself", async () => {
    const call = block(0, { type: "tool_use", id: "toolu_1", name: "act", input: {} });
    await using server = await serving([start(), ...call, ...end("tool_use")]);
    const { ran, session } = await acting(server.url);
    await using _session = session;

    await ask(session, "go");

    expect(ran).toEqual([{}]);
  });
});

test("a paused answer that is never gone on with leaves a history that can be sent", async () => {
  const search = block(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} });
  await using server = await loopbackServer((response, _received, count) => {
    if (count === 1) return response.writeHead(200, STREAM).end(sse(start(), ...search, ...end("pause_turn")));
    if (count === 2) return response.writeHead(401).end('{"error":{"type":"authentication_error","message":"no"}}');
    return answers200(text("Fine."))(response);
  });
  await using session = await liveSession(server.url);

  const first = await ask(session, "go");
  const second = await ask(session, "and now?");

  expect(errorsOf(first)).toEqual(["authentication_failed"]);
  expect(second.result.result).toBe("Fine.");
  expect(violations(session.engine.messages)).toEqual([]);
  expectContinued(server.received.slice(2));
});
