import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  halfAnswer,
  modelAt,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { type LoopbackServer, loopbackServer } from "../../../test/support/loopback-server.ts";
import type { ModelFailure } from "../failure.ts";
import type { ModelEvent } from "../model.ts";
import { kindOfErrorType } from "./failure.ts";

const NOW = Date.parse("2026-11-02T12:00:00Z");
const PAGE =
  "<html><head><title>413 Request Entity Too Large</title></head><body><center>cloudflare</center></body></html>";

const refused = (status: number, body: string, headers: Record<string, string> = {}) =>
  loopbackServer((response) => response.writeHead(status, headers).end(body));

const said = (type: string, message: string, details?: object) =>
  JSON.stringify({ type: "error", error: { type, message, ...(details && { details }) }, request_id: "req_body" });

async function lastOf(server: LoopbackServer): Promise<ModelEvent | undefined> {
  return (await eventsOf(modelAt(server.url, { now: () => NOW }), asking("Hi"))).at(-1);
}

async function failureOfServer(server: LoopbackServer): Promise<ModelFailure | undefined> {
  const last = await lastOf(server);
  return last?.type === "failure" ? last.failure : undefined;
}

/** Where the address may be what is wrong, it is named. */
const askedAt = (expected: object, { url }: LoopbackServer) =>
  "type" in expected && /^(?:auth|not_found)$/.test(String(expected.type)) ? { baseUrl: url } : {};

describe("a refused request is sorted by the type in its body, then its status, then its text", () => {
  const phase = "first_content";
  const setting = "ANTHROPIC_API_KEY";
  test.each<[status: number, body: string, expected: object]>([
    [400, said("invalid_request_error", "messages: bad"), { type: "invalid_request", status: 400 }],
    [401, said("authentication_error", "invalid x-api-key"), { type: "auth", status: 401, setting }],
    [402, said("billing_error", "no credit"), { type: "billing", status: 402 }],
    [403, said("permission_error", "no access"), { type: "auth", status: 403, setting }],
    [404, said("not_found_error", "model: nope"), { type: "not_found", status: 404 }],
    [409, said("conflict_error", "conflict"), { type: "server", status: 409, phase }],
    [413, said("request_too_large", "too large"), { type: "prompt_too_long", status: 413 }],
    [429, said("rate_limit_error", "slow down"), { type: "rate_limited", status: 429 }],
    [500, said("api_error", "oops"), { type: "server", status: 500, phase }],
    [504, said("timeout_error", "too slow"), { type: "timeout", status: 504, phase }],
    [529, said("overloaded_error", "Overloaded"), { type: "overloaded", status: 529, phase }],
    [500, said("overloaded_error", "Overloaded"), { type: "overloaded", status: 500, phase }],
    [400, said("brand_new_error", "new"), { type: "invalid_request", status: 400 }],
    [503, "upstream connect error", { type: "server", status: 503, phase }],
    [408, "", { type: "timeout", status: 408, phase }],
    [413, PAGE, { type: "prompt_too_long", status: 413 }],
    [403, "<title>Blocked</title>", { type: "auth", status: 403, setting }],
    [529, "{", { type: "overloaded", status: 529, phase }],
    [422, "[]", { type: "invalid_request", status: 422 }],
    [200, "<title>Welcome</title>", { type: "not_found", status: 200 }],
  ])("%i %s", async (status, body, expected) => {
    await using server = await refused(status, body, status === 200 ? { "content-type": "text/html" } : {});

    expect(await lastOf(server)).toEqual({
      type: "failure",
      failure: { ...expected, message: expect.any(String), ...askedAt(expected, server) },
      partial: [],
    });
  });

  test("every error type that the provider documents has its place", () => {
    expect(Object.keys(kindOfErrorType)).toHaveLength(11);
  });

  test("a redirect says that the address is wrong", async () => {
    await using server = await refused(301, "", { location: "https://example.com/login" });

    expect(await failureOfServer(server)).toEqual({
      type: "not_found",
      status: 301,
      baseUrl: server.url,
      message: "the address redirects to https://example.com/login; check the base URL (HTTP 301)",
    });
  });
});

describe("what the text of a 400 says is read", () => {
  const of = async (message: string, details?: object) => {
    await using server = await refused(400, said("invalid_request_error", message, details));
    const failure = await failureOfServer(server);
    return failure && { ...failure, message: undefined, status: undefined };
  };

  test("too many tokens, with the numbers", async () => {
    expect(await of("prompt is too long: 205431 tokens > 200000 maximum")).toEqual({
      type: "prompt_too_long",
      tokens: 205_431,
      limit: 200_000,
    });
    expect(await of("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000")).toEqual({
      type: "prompt_too_long",
      tokens: 190_000,
      limit: 200_000,
    });
  });

  test.each<[message: string, numbers: object]>([
    ["Input is too long for requested model.", {}],
    ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", {}],
    [
      "The input token count (12000) exceeds the maximum number of tokens allowed (8192).",
      { tokens: 12_000, limit: 8_192 },
    ],
    ["the request exceeds the available context size, try increasing it", {}],
    ["Your input exceeds the context window of this model.", {}],
    ["ContextWindowExceededError: the request does not fit", {}],
  ])("too many tokens in the words of another provider: %s", async (message, numbers) => {
    expect(await of(message)).toEqual({ type: "prompt_too_long", ...numbers });
    await using wrapped = await refused(500, said("api_error", message));
    expect(await failureOfServer(wrapped)).toMatchObject({ type: "prompt_too_long", status: 500 });
  });

  test("too many tokens by the code beside the text; a limit of the output alone is no such thing", async () => {
    await using server = await refused(
      400,
      JSON.stringify({ error: { message: "No.", code: "context_length_exceeded" } }),
    );
    expect(await failureOfServer(server)).toMatchObject({ type: "prompt_too_long" });
    const ofOutput = "max_tokens: 70000 > 64000, which is the maximum allowed number of output tokens";
    expect(await of(ofOutput)).toEqual({ type: "invalid_request", outputLimit: 64_000 });
  });

  test.each([
    [
      "messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
      "messages.3.content.1",
    ],
    [
      "messages.5.content.0.tool_result.content.1.image.source: Could not process image",
      "messages.5.content.0.content.1",
    ],
    ["messages.0.content.2.pdf.source.base64.data: The PDF specified was not valid.", "messages.0.content.2"],
  ])("media: %s", async (message, blockPath) => {
    expect(await of(message)).toEqual({ type: "media", blockPath });
  });

  test("media without a place, and by the error code and the paths of its details", async () => {
    expect(await of("At most 100 images are allowed: too many images")).toEqual({ type: "media" });
    const details = { error_code: "image_dimensions_too_large", paths: ["messages.1.content.0.content.2"] };
    expect(await of("a new wording", details)).toEqual({ type: "media", blockPath: "messages.1.content.0.content.2" });
  });

  test.each([
    "max_tokens is too large: 8000. This model supports at most 4096 completion tokens.",
    "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower.",
    "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229",
  ])("an output cap that is too high: %s", async (message) => {
    expect(await of(message)).toEqual({ type: "invalid_request", outputLimit: 4_096 });
  });

  test("a broken block is named; a tool that mentions images is no media", async () => {
    expect(await of("messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1")).toEqual({
      type: "invalid_request",
      blockPath: "messages.2.content.0",
    });
    expect(await of("tools.10.custom.input_schema: image schema is invalid")).toEqual({
      type: "invalid_request",
      toolIndex: 10,
    });
  });

  test("an empty balance is no broken request", async () => {
    expect(await of("Your credit balance is too low to access the API")).toEqual({ type: "billing" });
  });
});

describe("a rate limit says how long to wait", () => {
  const of = async (headers: Record<string, string>) => {
    await using server = await refused(429, said("rate_limit_error", "slow down"), headers);
    const failure = await failureOfServer(server);
    return failure?.type === "rate_limited" ? [failure.retryAfterMs, failure.resetsAt] : undefined;
  };

  test.each<[Record<string, string>, (number | undefined)[]]>([
    [{}, [undefined, undefined]],
    [{ "retry-after": "7" }, [7_000, NOW + 7_000]],
    [{ "retry-after": "0.5" }, [500, NOW + 500]],
    [{ "retry-after": "Mon, 02 Nov 2026 12:00:30 GMT" }, [30_000, NOW + 30_000]],
    [{ "retry-after": "Mon, 02 Nov 2026 11:00:00 GMT" }, [0, NOW]],
    [{ "retry-after": "soon" }, [undefined, undefined]],
    [{ "retry-after": "7", "retry-after-ms": "6500" }, [6_500, NOW + 6_500]],
    [{ "retry-after": "7", "retry-after-ms": "soon" }, [7_000, NOW + 7_000]],
    [
      {
        "retry-after": "7",
        "anthropic-ratelimit-requests-remaining": "12",
        "anthropic-ratelimit-requests-reset": "2026-11-02T12:00:05Z",
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-tokens-reset": "2026-11-02T12:01:00Z",
      },
      [7_000, NOW + 60_000],
    ],
    [{ "anthropic-ratelimit-unified-reset": String(NOW / 1000 + 90) }, [undefined, NOW + 90_000]],
  ])("%j", async (headers, expected) => {
    expect(await of(headers)).toEqual(expected);
  });
});

describe("the message of a failure", () => {
  test("has the provider's words, the status, the request id, and the setting to fix", async () => {
    await using server = await refused(401, said("authentication_error", "invalid x-api-key"), {
      "request-id": "req_7",
    });

    expect(await failureOfServer(server)).toEqual({
      type: "auth",
      status: 401,
      setting: "ANTHROPIC_API_KEY",
      baseUrl: server.url,
      message: "invalid x-api-key (HTTP 401, request req_7)",
    });
  });

  test("takes the title of a page and the request id of a body", async () => {
    await using page = await refused(413, PAGE);
    await using body = await refused(500, said("api_error", "oops"));

    expect(await failureOfServer(page)).toMatchObject({ message: "413 Request Entity Too Large (HTTP 413)" });
    expect(await failureOfServer(body)).toMatchObject({ message: "oops (HTTP 500, request req_body)" });
  });

  test("never shows a key, whoever echoes it", async () => {
    await using server = await loopbackServer((response, { headers }) =>
      response
        .writeHead(401)
        .end(`no such key: ${headers["x-api-key"]}, sk-ant-other_1, ${headers["x-gateway-token"]}`),
    );
    const model = modelAt(server.url, { headers: { "X-Gateway-Token": "gateway-secret-1" } });

    expect((await eventsOf(model, asking("Hi"))).at(-1)).toMatchObject({
      failure: { message: "no such key: [key], [key], [key] (HTTP 401)" },
    });
  });

  test("is cut when a page is endless", async () => {
    await using server = await refused(500, "x".repeat(1_000_000));

    const failure = await failureOfServer(server);

    expect(failure?.type === "server" && failure.message.length).toBe(2_012);
  });
});

describe("an answer that breaks off keeps what came", () => {
  const text = { type: "text", text: "The first ha" };
  const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  const cutText = { cutBlock: { type: "text" }, partial: [text], usage };

  test("by an error event: its type decides, it has no status", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    await using server = await loopbackServer((response) =>
      answerWith(response, sse(...halfAnswer("The first ha"), error), { "request-id": "req_8" }),
    );

    expect(await lastOf(server)).toEqual({
      type: "failure",
      failure: { type: "overloaded", phase: "content", message: "Overloaded (request req_8)" },
      ...cutText,
    });
  });

  test("by an end without message_stop", async () => {
    await using server = await loopbackServer((response) => answerWith(response, sse(...halfAnswer("The first ha"))));

    expect(await lastOf(server)).toEqual({
      type: "failure",
      failure: { type: "cut", phase: "content", message: "the stream ended before the answer did" },
      ...cutText,
    });
  });

  test("by a closed connection", async () => {
    await using server = await loopbackServer((response, _, count) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(...halfAnswer("The first ha")), () => setTimeout(() => response.destroy(), 10));
      return count;
    });

    expect(await lastOf(server)).toEqual({
      type: "failure",
      failure: {
        type: "cut",
        phase: "content",
        message: expect.stringMatching(/the answer of 127\.0\.0\.1:\d+ broke off/),
      },
      ...cutText,
    });
  });

  test("in the middle of a character", async () => {
    const bytes = Buffer.from(sse(...halfAnswer("The first ha"), ...halfAnswer("😀").slice(2)));
    await using server = await loopbackServer((response) =>
      answerWith(response, bytes.subarray(0, bytes.indexOf("😀") + 2)),
    );

    expect(await lastOf(server)).toMatchObject({ failure: { type: "cut", phase: "content" }, ...cutText });
  });

  test("in the middle of a tool call: whole blocks are kept, the call is named and never whole", async () => {
    const call = { type: "tool_use", id: "toolu_1", name: "Write", input: {} };
    await using server = await loopbackServer((response) =>
      answerWith(
        response,
        sse(
          ...wholeAnswer("I write.").slice(0, 4),
          { type: "content_block_start", index: 1, content_block: call },
          { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"path": "a' } },
        ),
      ),
    );

    expect(await lastOf(server)).toEqual({
      type: "failure",
      failure: { type: "cut", phase: "content", message: "the stream ended before the answer did" },
      partial: [{ type: "text", text: "I write." }],
      cutBlock: { type: "tool_use", toolName: "Write", partialJson: '{"path": "a' },
      usage,
    });
  });

  test("by an event that is no JSON", async () => {
    await using server = await loopbackServer((response) =>
      answerWith(response, `${sse(...halfAnswer("The first ha"))}data: {oops\n\n${sse({ type: "message_stop" })}`),
    );

    expect(await lastOf(server)).toMatchObject({ failure: { type: "cut", phase: "content" }, ...cutText });
  });

  test.each(["", ": nothing\n\n", sse({ type: "ping" })])(
    "a 200 that holds %j is an answer cut before its start",
    async (body) => {
      await using server = await loopbackServer((response) => answerWith(response, body));

      expect(await eventsOf(modelAt(server.url), asking("Hi"))).toEqual([
        {
          type: "failure",
          failure: { type: "cut", phase: "first_content", message: "the stream ended without any answer" },
          partial: [],
        },
      ]);
    },
  );

  test("an error in a 200 that is no stream is read like any other", async () => {
    await using server = await loopbackServer((response) =>
      answerWith(response, said("overloaded_error", "Overloaded"), { "content-type": "application/json" }),
    );

    expect(await failureOfServer(server)).toMatchObject({ type: "overloaded", phase: "first_content" });
  });
});

describe("a gateway that compresses although plain bytes were asked for", () => {
  test("a whole answer is read", async () => {
    await using server = await loopbackServer((response) =>
      answerWith(response, gzipSync(sse(...wholeAnswer("Hello."))), { "content-encoding": "gzip" }),
    );

    expect(await eventsOf(modelAt(server.url), asking("Hi"))).toEqual(wholeEvents("Hello."));
  });

  test("an error body is read, and a cut one is a cut answer", async () => {
    await using error = await loopbackServer((response) =>
      response.writeHead(529, { "content-encoding": "gzip" }).end(gzipSync(said("overloaded_error", "Overloaded"))),
    );
    await using cut = await loopbackServer((response) => {
      const body = gzipSync(sse(...wholeAnswer("Hello.")));
      answerWith(response, body.subarray(0, body.length - 30), { "content-encoding": "gzip" });
    });

    expect(await failureOfServer(error)).toMatchObject({ type: "overloaded", status: 529 });
    expect(await failureOfServer(cut)).toMatchObject({ type: "cut" });
  });
});
