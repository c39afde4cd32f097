import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  modelAt,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { answering, failureTypes, PROMPT_MS, silent, timed } from "../../../test/support/anthropic-connection.ts";
import { type LoopbackServer, loopbackServer } from "../../../test/support/loopback-server.ts";
import type { ModelEvent } from "../model.ts";

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

describe("a connection", () => {
  test("is kept for the next request, also when the reader stops at the answer's end", async () => {
    await using server = await answering();
    const model = modelAt(server.url);

    await eventsOf(model, asking("One"));
    for await (const event of model.stream(asking("Two"), new AbortController().signal)) {
      if (event.type === "message_end") break;
    }
    await sleep(20);
    await eventsOf(model, asking("Three"));

    expect(server.received.map(({ socket }) => socket)).toEqual([1, 1, 1]);
  });

  test("that the server has closed meanwhile is replaced at once", async () => {
    await using server = await loopbackServer((response, _, count) => {
      // The second request arrives on a connection that is closed instead of answered, as an idle one may be.
      if (count === 2) response.socket?.resetAndDestroy();
      else answerWith(response, sse(...wholeAnswer("Hello.")));
    });
    const model = modelAt(server.url);

    await eventsOf(model, asking("One"));

    expect(await eventsOf(model, asking("Two"))).toEqual(wholeEvents("Hello."));
    expect(server.received.map(({ socket }) => socket)).toEqual([1, 1, 2]);
  });

  test("that is refused is a network failure that names the address", async () => {
    const port = await unusedPort();

    expect(await eventsOf(modelAt(`http://127.0.0.1:${port}`), asking("Hi"))).toEqual([
      {
        type: "failure",
        failure: {
          type: "network",
          phase: "connect",
          message: `cannot connect to 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
        },
        partial: [],
      },
    ]);
  });

  test("to a host that does not exist is a network failure", async () => {
    const [event] = await eventsOf(modelAt("http://no-such-host.invalid"), asking("Hi"));

    expect(event).toMatchObject({ failure: { type: "network", phase: "connect" } });
  });

  test("that is closed before any response is a network failure of the next phase", async () => {
    await using server = await loopbackServer((response) => response.destroy());

    expect(await eventsOf(modelAt(server.url), asking("Hi"))).toMatchObject([
      { failure: { type: "network", phase: "headers" }, partial: [] },
    ]);
  });
});

describe("an abort", () => {
  test("before the start sends nothing", async () => {
    await using server = await answering();

    expect(await eventsOf(modelAt(server.url), asking("Hi"), AbortSignal.abort())).toEqual([
      { type: "failure", failure: { type: "aborted" }, partial: [] },
    ]);
    expect(server.received).toEqual([]);
  });

  test("in the middle settles at once, keeps what came and closes a connection that the server holds open", async () => {
    await using server = await silent();
    const controller = new AbortController();
    const value: ModelEvent[] = [];
    let abortedAt = 0;
    for await (const event of modelAt(server.url).stream(asking("Hi"), controller.signal)) {
      value.push(event);
      // The rest of the half that comes has come with it, and is read meanwhile.
      if (event.type === "message_start") {
        setTimeout(() => {
          abortedAt = performance.now();
          controller.abort();
        }, 50);
      }
    }

    expect(performance.now() - abortedAt).toBeLessThan(PROMPT_MS);
    expect(value.at(-1)).toEqual({
      type: "failure",
      failure: { type: "aborted" },
      partial: [{ type: "text", text: "The first ha" }],
      cutBlock: { type: "text" },
      usage: { input: 10, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    });
    expect(failureTypes(value)).toEqual([false, "aborted"]);
    await server.closed;
  });

  test.each<[string, () => Promise<LoopbackServer>]>([
    ["the response", () => loopbackServer(() => {})],
    ["the body of a refusal", () => loopbackServer((response) => response.writeHead(500).write("half"))],
  ])("while %s is awaited settles at once", async (_, open) => {
    await using server = await open();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);

    const { value, ms } = await timed(() => eventsOf(modelAt(server.url), asking("Hi"), controller.signal));

    expect(ms).toBeLessThan(PROMPT_MS);
    expect(value).toEqual([{ type: "failure", failure: { type: "aborted" }, partial: [] }]);
    await server.closed;
  });

  test("while a credential helper is awaited settles at once and sends nothing", async () => {
    await using server = await answering();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const model = modelAt(server.url, { apiKey: () => new Promise<string>(() => {}) });

    expect(await eventsOf(model, asking("Hi"), controller.signal)).toMatchObject([{ failure: { type: "aborted" } }]);
    expect(server.received).toEqual([]);
  });

  test("by return(), also while the next event is awaited, closes the connection", async () => {
    await using server = await silent();
    const events = modelAt(server.url).stream(asking("Hi"), new AbortController().signal)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "message_start" } });

    const pending = events.next();
    await sleep(20);
    const { ms } = await timed(async () => Promise.all([pending, events.return?.()]));

    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await server.closed;
  });

  test("leaves no listener on a signal that lives longer than the request", async () => {
    await using server = await answering();
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get(target, name) {
        if (name === "addEventListener") listeners++;
        if (name === "removeEventListener") listeners--;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });

    await eventsOf(modelAt(server.url), asking("Hi"), counting);

    expect(listeners).toBe(0);
  });
});
