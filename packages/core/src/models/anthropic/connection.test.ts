import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  halfAnswer,
  modelAt,
  modelId,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { type LoopbackServer, loopbackServer } from "../../../test/support/loopback-server.ts";
import { modelInfo } from "../catalog.ts";
import type { ModelEvent } from "../model.ts";
import { anthropicModel } from "./anthropic-model.ts";

const PROMPT_MS = 1_000;

const answering = () => loopbackServer((response) => answerWith(response, sse(...wholeAnswer("Hello."))));

/** Sends half an answer and then nothing. */
const silent = () =>
  loopbackServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sse(...halfAnswer("The first ha")));
  });

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await run();
  return { value, ms: performance.now() - started };
}

const failureTypes = (events: readonly ModelEvent[]) =>
  events.map((event) => event.type === "failure" && event.failure.type);

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
    setTimeout(() => controller.abort(), 50);

    const { value, ms } = await timed(() => eventsOf(modelAt(server.url), asking("Hi"), controller.signal));

    expect(ms).toBeLessThan(PROMPT_MS);
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

describe("the address and the headers", () => {
  const at = (baseUrl: string) => () => modelAt(baseUrl);

  test("a path before that of the API is kept", async () => {
    await using server = await answering();

    await eventsOf(modelAt(`${server.url}/gateway/`), asking("Hi"));

    expect(server.received[0]?.url).toBe("/gateway/v1/messages");
  });

  test("the address is taken from the environment when none is given", async () => {
    await using server = await answering();
    const id = modelId("claude-sonnet-5-5");
    const model = anthropicModel({ id, info: modelInfo(id), env: { ANTHROPIC_BASE_URL: server.url } });

    expect(await eventsOf(model, asking("Hi"))).toEqual(wholeEvents("Hello."));
  });

  test("an address that cannot be used is refused before anything is sent", () => {
    expect(at("api.example.com")).toThrow('ANTHROPIC_BASE_URL cannot be used: "api.example.com" is no http or https');
    expect(at("ftp://example.com")).toThrow("is no http or https address");
    expect(at("https://me:secret@example.com")).toThrow("it holds a name or a password");
    expect(at("https://example.com/?a=1")).toThrow("has a query or a fragment");
  });

  test("the provider's own address needs a key, another one may not", () => {
    const id = modelId("claude-sonnet-5-5");
    const info = modelInfo(id);

    expect(() => anthropicModel({ id, info })).toThrow("no API key: set ANTHROPIC_API_KEY");
    expect(() => anthropicModel({ id, info, baseUrl: "http://127.0.0.1:1" })).not.toThrow();
    expect(() => anthropicModel({ id, info, authToken: "token-0123456789" })).not.toThrow();
  });

  test("a token is sent as bearer, own headers and betas are added", async () => {
    await using server = await answering();
    const model = anthropicModel({
      id: modelId("claude-sonnet-4-6[1m]"),
      info: modelInfo("claude-sonnet-4-6[1m]"),
      authToken: async () => "token-0123456789",
      baseUrl: server.url,
      headers: { "X-Team": "pawl", "anthropic-beta": "their-beta-2026-01-01" },
      betas: ["some-beta-2026-01-01"],
    });

    await eventsOf(model, asking("Hi"));

    const {
      authorization,
      "x-api-key": key,
      "x-team": team,
      "anthropic-beta": beta,
    } = server.received[0]?.headers ?? {};
    expect({ authorization, key, team, beta }).toEqual({
      authorization: "Bearer token-0123456789",
      key: undefined,
      team: "pawl",
      beta: "context-1m-2025-08-07,some-beta-2026-01-01,their-beta-2026-01-01",
    });
  });

  test("a value with a control character is refused by its name, never shown", async () => {
    await using server = await answering();

    expect(() => modelAt(server.url, { headers: { "X-Team": "secret\r\nx: y" } })).toThrow(
      '"X-Team" cannot be sent as a header; take out the line break',
    );
    expect(await eventsOf(modelAt(server.url, { apiKey: "secret-key\n" }), asking("Hi"))).toEqual([
      {
        type: "failure",
        failure: {
          type: "auth",
          status: 401,
          setting: "ANTHROPIC_API_KEY",
          message: 'no credential: "ANTHROPIC_API_KEY" cannot be sent as a header; take out the line break',
        },
        partial: [],
      },
    ]);
    expect(server.received).toEqual([]);
  });

  test("a credential helper that fails is a failure of authentication", async () => {
    await using server = await answering();
    const apiKey = () => Promise.reject(new Error("the helper exited with 1"));

    expect(await eventsOf(modelAt(server.url, { apiKey }), asking("Hi"))).toMatchObject([
      { failure: { type: "auth", status: 401, message: "no credential: the helper exited with 1" } },
    ]);
  });

  test("a beta that the provider refuses is left out from then on", async () => {
    await using server = await loopbackServer((response, { headers }) => {
      if (!headers["anthropic-beta"]?.includes("old-beta")) return answerWith(response, sse(...wholeAnswer("Hello.")));
      const error = { type: "invalid_request_error", message: "Unexpected value(s) `old-beta` for `anthropic-beta`" };
      return response.writeHead(400).end(JSON.stringify({ type: "error", error }));
    });
    const model = modelAt(server.url, { betas: ["old-beta", "new-beta"] });

    expect(await eventsOf(model, asking("Hi"))).toEqual(wholeEvents("Hello."));
    await eventsOf(model, asking("Again"));

    expect(server.received.map(({ headers }) => headers["anthropic-beta"])).toEqual([
      "old-beta,new-beta",
      "new-beta",
      "new-beta",
    ]);
  });
});

describe("a request", () => {
  test("over the provider's size is not sent", async () => {
    await using server = await answering();

    expect(await eventsOf(modelAt(server.url), asking("x".repeat(33 * 1024 * 1024)))).toEqual([
      {
        type: "failure",
        failure: { type: "prompt_too_long", message: "the request has 33.0 MB; the provider takes 32 MB" },
        partial: [],
      },
    ]);
    expect(server.received).toEqual([]);
  });

  test("gives the provider's own events only when they are wanted", async () => {
    await using server = await loopbackServer((response) =>
      answerWith(response, sse({ type: "ping" }, { type: "news", of: "tomorrow" }, ...wholeAnswer("Hello."))),
    );
    const model = modelAt(server.url);

    const raw = (await eventsOf(model, asking("Hi", { includeRaw: true }))).flatMap((event) =>
      event.type === "raw" ? [event.event] : [],
    );

    expect(raw).toEqual([{ type: "ping" }, { type: "news", of: "tomorrow" }, ...wholeAnswer("Hello.")]);
    expect(await eventsOf(model, asking("Hi"))).toEqual(wholeEvents("Hello."));
  });

  test("keeps the id that the provider gave it", async () => {
    await using server = await loopbackServer((response) =>
      answerWith(response, sse(...wholeAnswer("Hello.")), { "request-id": "req_9" }),
    );

    expect((await eventsOf(modelAt(server.url), asking("Hi")))[0]).toEqual({
      type: "message_start",
      id: "msg_1",
      model: "claude-sonnet-5-5",
      requestId: "req_9",
      usage: { input: 10, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    });
  });
});
