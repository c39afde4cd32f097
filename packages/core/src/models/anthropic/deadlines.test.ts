import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  asking,
  eventsOf,
  halfAnswer,
  modelAt,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { timed } from "../../../test/support/anthropic-connection.ts";
import { type LoopbackServer, loopbackServer } from "../../../test/support/loopback-server.ts";
import type { ModelEvent } from "../model.ts";

describe("a deadline", () => {
  const at = (server: LoopbackServer, deadlines: object) => modelAt(server.url, { deadlines });

  test("for the headers ends a wait for a server that never answers", async () => {
    await using server = await loopbackServer(() => {});

    expect(await eventsOf(at(server, { headersMs: 60 }), asking("Hi"))).toEqual([
      {
        type: "failure",
        failure: {
          type: "timeout",
          phase: "headers",
          message: `no response from ${new URL(server.url).host} within 0.06 s (PAWL_HEADERS_TIMEOUT_MS)`,
        },
        partial: [],
      },
    ]);
    await server.closed;
  });

  test("for the connection ends a wait for a proxy that never answers", async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket));
    await new Promise<void>((listening) => mute.listen(0, "127.0.0.1", listening));
    const address = mute.address();
    const port = typeof address === "object" ? address?.port : 0;
    const model = modelAt("https://127.0.0.1:9", {
      env: { HTTPS_PROXY: `http://127.0.0.1:${port}` },
      deadlines: { connectMs: 60 },
    });

    expect(await eventsOf(model, asking("Hi"))).toMatchObject([{ failure: { type: "timeout", phase: "connect" } }]);

    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => mute.close(closed));
  });

  const pinging = (before: string) =>
    loopbackServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(before);
      const timer = setInterval(() => response.write(sse({ type: "ping" })), 10);
      response.on("close", () => clearInterval(timer));
    });

  test("for the first content is not moved by pings", async () => {
    await using server = await pinging("");

    expect(await eventsOf(at(server, { firstContentMs: 100 }), asking("Hi"))).toMatchObject([
      { failure: { type: "stalled", phase: "first_content" }, partial: [] },
    ]);
  });

  test("for a gap in the content is not moved by pings, and what came is kept", async () => {
    await using server = await pinging(sse(...halfAnswer("The first ha")));

    expect((await eventsOf(at(server, { contentGapMs: 100 }), asking("Hi"))).at(-1)).toMatchObject({
      failure: { type: "stalled", phase: "content" },
      partial: [{ type: "text", text: "The first ha" }],
    });
  });

  test("for a gap does not count the time in which the reader works", async () => {
    await using server = await loopbackServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(...halfAnswer("Hel")));
      await sleep(20);
      response.end(sse(...wholeAnswer("lo.").slice(2)));
    });
    const events: ModelEvent[] = [];
    const signal = new AbortController().signal;
    for await (const event of at(server, { contentGapMs: 100 }).stream(asking("Hi"), signal)) {
      events.push(event);
      await sleep(150);
    }

    expect(events).toEqual(wholeEvents("Hello."));
  });

  test("for a gap does not count the time in which this process could not run", async () => {
    await using server = await loopbackServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(...halfAnswer("Hel")));
      await sleep(30);
      response.end(sse(...wholeAnswer("lo.").slice(2)));
      for (const until = performance.now() + 300; performance.now() < until; ); // nothing else runs meanwhile
    });

    expect(await eventsOf(at(server, { contentGapMs: 100 }), asking("Hi"))).toEqual(wholeEvents("Hello."));
  });

  test("for the whole answer ends one that never stops coming", async () => {
    await using server = await loopbackServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(...halfAnswer("")));
      const timer = setInterval(() => response.write(sse(...halfAnswer("a").slice(2))), 10);
      response.on("close", () => clearInterval(timer));
    });

    expect((await eventsOf(at(server, { wholeAnswerMs: 120, contentGapMs: 100 }), asking("Hi"))).at(-1)).toMatchObject({
      failure: { type: "timeout", phase: "whole_answer" },
    });
  });

  test("does not wait for a server that keeps the connection open after a whole answer", async () => {
    await using server = await loopbackServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(...wholeAnswer("Hello.")));
    });

    const { value, ms } = await timed(() => eventsOf(modelAt(server.url), asking("Hi")));

    expect(value).toEqual(wholeEvents("Hello."));
    expect(ms).toBeLessThan(2_000);
  });
});
