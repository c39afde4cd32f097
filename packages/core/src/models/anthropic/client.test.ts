import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  modelAt,
  modelId,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { answering } from "../../../test/support/anthropic-connection.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import { modelInfo } from "../catalog.ts";
import { anthropicModel } from "./anthropic-model.ts";

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
