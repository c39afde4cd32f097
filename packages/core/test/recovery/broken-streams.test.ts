import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { violations } from "@pawl/core";
import { describe, expect, test } from "vitest";
import { sse } from "../support/anthropic.ts";
import { loopbackServer, type Received } from "../support/loopback-server.ts";
import { answers200, bodyOf, eventsOf, freshId, type Said, STREAM, text, use } from "./answers.ts";
import { ask, errorsOf, liveSession, retriesOf } from "./live-session.ts";
import { expectContinued, bodyOf as requestOf } from "./wire.ts";

/** Connections that never last as long as an answer: asking anew each time would never end (B18). */

const WORDS = Array.from({ length: 30 }, (_, n) => `word-${n}`);
/** Words that come before the connection goes. */
const LASTING = 12;
const READ_MS = 20;

/** The words that the conversation holds so far. */
const saidIn = (received: Received) => new Set(JSON.stringify(requestOf(received).messages).match(/word-\d+/g)).size;

/** Goes on from the words in the conversation; the connection goes before all of them are said. */
function lastingTooShort(response: ServerResponse, received: Received): void {
  const left = WORDS.slice(saidIn(received));
  const [start, blockStart] = eventsOf(text("x"), freshId());
  if (start === undefined || blockStart === undefined) throw new Error("an answer has a start");
  const deltas = left.slice(0, LASTING).map((word) => delta({ type: "text_delta", text: `${word} ` }));
  const begun = sse(start, blockStart, ...deltas);
  response.writeHead(200, STREAM);
  if (left.length > LASTING) {
    response.write(begun);
    setTimeout(() => response.destroy(), READ_MS);
    return;
  }
  const end = [{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }];
  response.end(begun + sse({ type: "content_block_stop", index: 0 }, ...end, { type: "message_stop" }));
}

const delta = (given: { type: string; [field: string]: unknown }, index = 0) => ({
  type: "content_block_delta",
  index,
  delta: given,
});

/** All of an answer but its last events; then the connection goes. */
function broken(response: ServerResponse, said: Said, keptEvents: number): void {
  response.writeHead(200, STREAM).write(sse(...eventsOf(said, freshId()).slice(0, keptEvents)));
  setTimeout(() => response.destroy(), READ_MS);
}

describe("an answer that breaks off again", () => {
  test("is gone on from what came, until it is whole, and the retries say which and why (B18)", async () => {
    await using server = await loopbackServer(lastingTooShort);
    await using session = await liveSession(server.url);

    const done = await ask(session, "go");

    expect(done.result).toMatchObject({ is_error: false, result: WORDS.map((word) => `${word} `).join("") });
    expect(server.received.map(saidIn)).toEqual([0, 0, 12, 24]);
    expect(
      retriesOf(done).map(({ attempt, reason }) => [attempt, reason.replace(/^.*broke off/, "broke off")]),
    ).toEqual([
      [1, expect.stringMatching(/^broke off: [^;]*$/)],
      [2, expect.stringMatching(/; going on from what came$/)],
      [3, expect.stringMatching(/; going on from what came$/)],
    ]);
    expect(errorsOf(done)).toEqual([]);
    expectContinued(server.received);
  });

  test("is asked for anew as often as any request where the setting says so", async () => {
    await using server = await loopbackServer(lastingTooShort);
    await using session = await liveSession(server.url, {
      userSettings: { streamCutRecovery: "retry" },
      env: { CLAUDE_CODE_MAX_RETRIES: "3" },
    });

    const done = await ask(session, "go");

    expect(server.received.map(saidIn)).toEqual([0, 0, 0, 0]);
    expect(retriesOf(done).map(({ attempt, max_retries }) => [attempt, max_retries])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(done.result).toMatchObject({ is_error: true, terminal_reason: "api_error" });
    expect(session.engine.messages).toHaveLength(1);
  });

  test("is asked for in one piece where the setting says so, once it has come the session streams again", async () => {
    await using server = await loopbackServer((response, received) => {
      const isStreamed = requestOf(received).stream;
      if (isStreamed && saidIn(received) === 0) return lastingTooShort(response, received);
      if (isStreamed) return answers200(text("Streamed again."))(response);
      const message = { id: "msg_whole", type: "message", role: "assistant", model: "claude-sonnet-5-5" };
      const content = [{ type: "text", text: WORDS.join(" ") }];
      const usage = { input_tokens: 10, output_tokens: 60 };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...message, content, stop_reason: "end_turn", usage }));
    });
    await using session = await liveSession(server.url, { env: { PAWL_STREAM_CUT_RECOVERY: "non_stream" } });

    const first = await ask(session, "go");
    const second = await ask(session, "and now?");

    expect(first.result).toMatchObject({ is_error: false, result: WORDS.join(" ") });
    expect(server.received.map((received) => requestOf(received).stream)).toEqual([true, true, false, true]);
    expect(retriesOf(first).at(-1)?.reason).toMatch(/; asking for the answer in one piece$/);
    expect(second.result.result).toBe("Streamed again.");
    expectContinued(server.received);
  });

  test("after a whole call runs the call, once, but no half of another one, and tells the model", async () => {
    const calls: Said = {
      blocks: [
        { type: "text", text: "Two things." },
        use("toolu_a", "Bash", { command: "echo one >> effects.txt" }),
        use("toolu_b", "Bash", { command: "echo two >> effects.txt" }),
      ],
    };
    await using server = await loopbackServer((response, received) => {
      // Until the middle of the second call's input.
      if (requestOf(received).messages.length === 1) return broken(response, calls, 11);
      answers200(text("I see."))(response);
    });
    await using session = await liveSession(server.url, { permissionMode: "bypassPermissions" });

    const done = await ask(session, "go");

    expect(done.result).toMatchObject({ is_error: false, result: "I see." });
    expect(await readFile(join(session.root, "effects.txt"), "utf8")).toBe("one\n");
    expect(server.received).toHaveLength(3);
    const [, answer, results] = requestOf(server.received[2] ?? { body: "" }).messages;
    expect(answer?.content.map(({ type, id }) => [type, id])).toEqual([
      ["text", undefined],
      ["tool_use", "toolu_a"],
    ]);
    expect(results?.content).toMatchObject([
      { type: "tool_result", tool_use_id: "toolu_a" },
      { type: "text", text: expect.stringMatching(/Your call of Bash was cut/) },
    ]);
    expectContinued(server.received);
  });

  test("in its thinking has nothing to go on from: it is asked for anew, and no thinking is kept", async () => {
    const thought: Said = {
      blocks: [{ type: "thinking", thinking: "So long", signature: "s" }, ...text("Done.").blocks],
    };
    await using server = await loopbackServer((response, _received, count) => {
      if (count <= 3) return broken(response, thought, count === 3 ? 5 : 3);
      answers200(text("Done."))(response);
    });
    await using session = await liveSession(server.url);

    const done = await ask(session, "go");

    expect(done.result.result).toBe("Done.");
    expect(server.received.map((received) => requestOf(received).messages.length)).toEqual([1, 1, 1, 1]);
    expectContinued(server.received);
  });

  test("keeps whole thinking in front of the text that came, with its signature, and resumes from the disk", async () => {
    const thinking = { type: "thinking", thinking: "So.", signature: "EqQB==" } as const;
    await using server = await loopbackServer((response, _received, count) => {
      if (count <= 2) return broken(response, { blocks: [thinking, { type: "text", text: "Half and" }] }, 8);
      answers200(text(" half."))(response);
    });
    await using session = await liveSession(server.url);

    const done = await ask(session, "go");

    expect(done.result.result).toBe("Half and half.");
    const kept = requestOf(server.received[2] ?? { body: "" }).messages[1]?.content;
    expect(kept).toMatchObject([thinking, { type: "text", text: "Half and" }]);
    expect(violations(session.engine.messages)).toEqual([]);
    expectContinued(server.received);
  });

  test("for ever ends with its error after a bounded number of requests, and what came is kept", async () => {
    await using server = await loopbackServer((response, _received, count) =>
      broken(response, text(`Piece ${count}, and more.`), 3),
    );
    await using session = await liveSession(server.url);

    const done = await ask(session, "go");

    expect(done.result).toMatchObject({ is_error: true, terminal_reason: "api_error" });
    expect(server.received).toHaveLength(10);
    expect(JSON.stringify(session.engine.messages)).toContain("Piece 9,");
    expectContinued(server.received);
  });
});

describe("an answer in one piece", () => {
  const served = (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
    loopbackServer((response, received, count) => {
      if (count <= 2) return broken(response, text("Half of it."), 3);
      if (count === 3 && !requestOf(received).stream) return response.writeHead(200, headers).end(body);
      return answers200(text(`Answer to request ${count}.`))(response);
    });

  test.each([
    ["is a stream all the same", bodyOf(text("Streamed.")), STREAM, "Streamed."],
    ["is no JSON", '{"type":"mess', undefined, "Answer to request 4."],
    ["is nothing", "", undefined, "Answer to request 4."],
    ["is an error", '{"type":"error","error":{"type":"overloaded_error"}}', undefined, "Answer to request 4."],
  ])("that %s ends as the tables say", async (_what, body, headers, result) => {
    await using server = await served(body, headers);
    await using session = await liveSession(server.url, { env: { PAWL_STREAM_CUT_RECOVERY: "non_stream" } });

    const done = await ask(session, "go");

    expect(done.result).toMatchObject({ is_error: false, result });
  });
});
