import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { SdkMessage } from "@pawl/core";
import { describe, expect, test } from "vitest";
import { sse } from "../support/anthropic.ts";
import { type LoopbackServer, loopbackServer, type Received } from "../support/loopback-server.ts";
import { answers200, bodyOf, eventsOf, freshId, STREAM, text, use } from "./answers.ts";
import { ask, errorsOf, isRetry, liveSession, retriesOf, type SHORT } from "./live-session.ts";
import { expectContinued, bodyOf as requestOf } from "./wire.ts";

type Fault = (response: ServerResponse, received: Received) => unknown;

const half = () => sse(...eventsOf(text("The first half."), freshId()).slice(0, 3));
const status =
  (code: number, body: string, headers: Record<string, string> = {}): Fault =>
  (response) =>
    response.writeHead(code, headers).end(body);
const error = (type: string, message = "as it says") => JSON.stringify({ type: "error", error: { type, message } });
const page = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** After `before` nothing but pings. */
const pinging =
  (before = ""): Fault =>
  (response) => {
    response.writeHead(200, STREAM).write(before + sse({ type: "ping" }));
    const timer = setInterval(() => response.write(sse({ type: "ping" })), 20);
    response.on("close", () => clearInterval(timer));
  };

/** The last character is cut in two. */
function halfCharacter(response: ServerResponse): void {
  const events = eventsOf(text("Ünï🦉"), freshId());
  const whole = Buffer.from(sse(...events.slice(0, 4)));
  response.writeHead(200, STREAM).end(whole.subarray(0, whole.indexOf("🦉") + 2));
}

/** A server that fails as told, request after request, and answers well after that. */
const failing = (...faults: readonly Fault[]) =>
  loopbackServer((response, received, count) =>
    (faults[count - 1] ?? answers200(text(`Answer to request ${count}.`)))(response, received),
  );

const cut = { error: "server_error", error_status: null };

describe("what passes by itself is tried again, and the person sees the answer alone", () => {
  test.each<[what: string, fault: Fault, retry: object]>([
    ["a hang before the headers (B17)", () => {}, { ...cut, no_response: true }],
    ["a hang in the middle of the answer (B16)", (response) => response.writeHead(200, STREAM).write(half()), cut],
    ["nothing but pings (B16)", pinging(), cut],
    ["pings in the middle of the answer (B16)", (response, received) => pinging(half())(response, received), cut],
    ["a connection closed before any response", (response) => response.destroy(), { ...cut, no_response: true }],
    ["a connection closed in the middle of the answer (B13)", (response) => closeAfterHalf(response), cut],
    ["a reset in the middle of the answer", (response) => resetAfterHalf(response), cut],
    ["an answer that ends too early", (response) => response.writeHead(200, STREAM).end(half()), cut],
    ["200 without any event (B13)", (response) => response.writeHead(200, STREAM).end(), cut],
    ["half a character", halfCharacter, cut],
    ["what is no JSON", (response) => response.writeHead(200, STREAM).end("data: {oops\n\n"), cut],
    ["a compressed answer that is cut", cutGzip, cut],
    ["an overload", status(529, error("overloaded_error")), { error: "overloaded", error_status: 529 }],
    ["a page of a proxy", status(502, page("Bad gateway")), { error: "server_error", error_status: 502 }],
    ["a fault of the server", status(500, error("api_error")), { error: "server_error", error_status: 500 }],
    ["a conflict", status(409, error("conflict_error")), { error: "server_error", error_status: 409 }],
    ["a time-out of the server", status(408, ""), { error: "server_error", error_status: 408 }],
    [
      "an error event in the middle of the answer",
      (response) => response.writeHead(200, STREAM).end(half() + sse(JSON.parse(error("overloaded_error")))),
      { error: "overloaded", error_status: null },
    ],
  ])("%s", async (_what, fault, retry) => {
    await using server = await failing(fault);
    await using session = await liveSession(server.url);

    const first = await ask(session, "go");
    const second = await ask(session, "and now?");

    expect(retriesOf(first)).toMatchObject([{ attempt: 1, max_retries: 9, ...retry }]);
    expect(errorsOf(first)).toEqual([]);
    expect([first.result.result, second.result.result]).toEqual(["Answer to request 2.", "Answer to request 3."]);
    expect(session.engine.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expectContinued(server.received);
  });

  function closeAfterHalf(response: ServerResponse): void {
    response.writeHead(200, { ...STREAM, "content-length": "100000" }).write(half(), () => response.destroy());
  }

  function resetAfterHalf(response: ServerResponse): void {
    response.writeHead(200, STREAM).write(half(), () => response.socket?.resetAndDestroy());
  }

  function cutGzip(response: ServerResponse): void {
    const whole = gzipSync(bodyOf(text("Never whole.")));
    response.writeHead(200, { ...STREAM, "content-encoding": "gzip" }).end(whole.subarray(0, whole.length - 12));
  }
});

describe("what looks odd and is whole is taken as it is", () => {
  const whole = "Ünï🦉 whole";

  test.each<[what: string, answer: Fault]>([
    [
      "a compressed answer",
      (response) =>
        response.writeHead(200, { ...STREAM, "content-encoding": "gzip" }).end(gzipSync(bodyOf(text(whole)))),
    ],
    [
      "one compressed by brotli",
      (response) =>
        response.writeHead(200, { ...STREAM, "content-encoding": "br" }).end(brotliCompressSync(bodyOf(text(whole)))),
    ],
    [
      "one whose pieces cut characters in two",
      async (response) => {
        response.writeHead(200, STREAM);
        const bytes = Buffer.from(bodyOf(text(whole)));
        const at = bytes.indexOf("🦉") + 2;
        response.write(bytes.subarray(0, at));
        await new Promise((resolve) => setTimeout(resolve, 20));
        response.end(bytes.subarray(at));
      },
    ],
  ])("%s", async (_what, answer) => {
    await using server = await failing(answer);
    await using session = await liveSession(server.url);

    const done = await ask(session, "go");

    expect([done.result.result, retriesOf(done)]).toEqual([whole, []]);
  });

  test("a connection that the server closed while nobody used it is replaced at once, without a word (B17)", async () => {
    await using server = await loopbackServer((response, _received, count) => {
      if (count === 2) response.socket?.resetAndDestroy();
      else answers200(text(`Answer to request ${count}.`))(response);
    });
    await using session = await liveSession(server.url);

    await ask(session, "go");
    const second = await ask(session, "and now?");

    expect([second.result.result, retriesOf(second)]).toEqual(["Answer to request 3.", []]);
    expect(server.received.map(({ socket }) => socket)).toEqual([1, 1, 2]);
    expectContinued(server.received);
  });
});

test("a server that refuses connections is tried until it is there", async () => {
  const port = await unusedPort();
  await using session = await liveSession(`http://127.0.0.1:${port}`);
  const frames: SdkMessage[] = [];
  let server: LoopbackServer | undefined;
  for await (const frame of session.engine.submitMessage("go")) {
    frames.push(frame);
    if (isRetry(frame)) server ??= await loopbackServer(answers200(text("Now.")), undefined, port);
  }
  await server?.[Symbol.asyncDispose]();

  expect(frames.at(-1)).toMatchObject({ type: "result", result: "Now." });
  expect(frames.filter(isRetry)).toMatchObject([
    {
      attempt: 1,
      error: "server_error",
      error_status: null,
      no_response: true,
      reason: `cannot connect to 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    },
  ]);
});

test("a limit is waited for as told", async () => {
  await using server = await failing(status(429, error("rate_limit_error"), { "retry-after": "0.3" }));
  await using session = await liveSession(server.url);
  const startedAt = performance.now();

  const done = await ask(session, "go");

  expect(retriesOf(done)).toMatchObject([{ attempt: 1, retry_delay_ms: 300, error: "rate_limit", error_status: 429 }]);
  expect(performance.now() - startedAt).toBeGreaterThan(299);
  expect(done.result.result).toBe("Answer to request 2.");
});

test("an overload that says when to come back is left alone until then", async () => {
  await using server = await failing(status(529, error("overloaded_error"), { "retry-after": "0.2" }));
  await using session = await liveSession(server.url);

  expect(retriesOf(await ask(session, "go"))).toMatchObject([{ retry_delay_ms: 200, error: "overloaded" }]);
});

test("a limit that is far away is shown at once, with the time at which it ends", async () => {
  await using server = await failing(status(429, error("rate_limit_error"), { "retry-after": "3600" }));
  await using session = await liveSession(server.url);

  const first = await ask(session, "go");
  const second = await ask(session, "and now?");

  expect(errorsOf(first)).toEqual(["rate_limit"]);
  expect(first.result).toMatchObject({ is_error: true, terminal_reason: "api_error", api_error_status: 429 });
  expect(first.result.result).toMatch(/The limit resets at \d{4}-\d\d-\d\dT/);
  expect(second.result.result).toBe("Answer to request 2.");
  expectContinued(server.received);
});

test("an overload of a while is waited for; one without an end is shown after ten tries, and the session goes on", async () => {
  const overloaded = status(529, error("overloaded_error", "Overloaded"));
  await using server = await failing(...Array<Fault>(6).fill(overloaded), answers200(text("At last.")));
  await using session = await liveSession(server.url);
  await using endless = await failing(...Array<Fault>(10).fill(overloaded));
  await using other = await liveSession(endless.url);

  const waited = await ask(session, "go");
  const gaveUp = await ask(other, "go");
  const next = await ask(other, "and now?");

  expect([waited.result.result, retriesOf(waited).length]).toEqual(["At last.", 6]);
  expect(retriesOf(gaveUp).map(({ attempt, max_retries }) => [attempt, max_retries])).toEqual(
    Array.from({ length: 9 }, (_, index) => [index + 1, 9]),
  );
  expect(errorsOf(gaveUp)).toEqual(["overloaded"]);
  expect(gaveUp.result).toMatchObject({
    is_error: true,
    terminal_reason: "api_error",
    api_error_status: 529,
    result: "API Error (529): Overloaded (HTTP 529). Try again later, or with --fallback-model or --unattended",
  });
  expect(next.result.result).toBe("Answer to request 11.");
  expectContinued(endless.received);
});

test("after three overloads the fallback is asked over the same connections, and the person is told", async () => {
  const overloaded = status(529, error("overloaded_error", "Overloaded"));
  await using server = await loopbackServer((response, received) => {
    const { model } = requestOf(received);
    if (model === "claude-sonnet-5-5") overloaded(response, received);
    else answers200(text(`Answer of ${model}.`))(response);
  });
  await using session = await liveSession(server.url, { fallbackModels: ["claude-sonnet-5-5", "haiku"] });

  const done = await ask(session, "go");

  expect(done.result.result).toBe("Answer of claude-haiku-5-5.");
  expect(retriesOf(done)).toHaveLength(2);
  expect(informationOf(done)).toEqual([
    "The fallback model claude-sonnet-5-5 is left out: it is asked before; name another one.",
    "claude-sonnet-5-5 is overloaded: asking claude-haiku-5-5 instead",
  ]);
  expect(server.received.map(({ socket }) => socket)).toEqual([1, 1, 1, 1]);
});

test("a limit that ends beyond all dates ends the turn with its error, not with a fault of ours", async () => {
  const headers = { "retry-after": "1e30", "anthropic-ratelimit-unified-reset": "9".repeat(30) };
  await using server = await failing(status(429, error("rate_limit_error", "Slow down"), headers));
  await using session = await liveSession(server.url);

  const done = await ask(session, "go");

  expect(done.result).toMatchObject({ is_error: true, terminal_reason: "api_error", api_error_status: 429 });
  expect(done.result.result).toMatch(/Slow down.*The limit resets at \d{4}-/);
  expect((await ask(session, "and now?")).result.result).toBe("Answer to request 2.");
});

test("a page in place of an answer says that the address is wrong, at once", async () => {
  await using server = await failing((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(page("Log in")),
  );
  await using session = await liveSession(server.url);

  const done = await ask(session, "go");

  expect([errorsOf(done), retriesOf(done)]).toEqual([["model_not_found"], []]);
  expect(done.result.result).toContain("a page in place of an answer; check the base URL: Log in");
});

test("pings after the end of an answer hold nobody up for long", async () => {
  await using server = await failing((response, received) => pinging(bodyOf(text("Done.")))(response, received));
  await using session = await liveSession(server.url, { limits: { stall: 30_000, answer: 30_000 } });
  const startedAt = performance.now();

  expect((await ask(session, "go")).result.result).toBe("Done.");
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test("a refusal whose body trickles for ever is what its status says, after the time for a first piece of content", async () => {
  await using server = await failing((response) => {
    response.writeHead(500, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  await using session = await liveSession(server.url, { limits: { stall: 300, answer: 60_000 } });

  const done = await ask(session, "go");

  expect(retriesOf(done)).toMatchObject([{ attempt: 1, error: "server_error", error_status: 500 }]);
  expect(done.result.result).toBe("Answer to request 2.");
});

describe("a turn ends within its bound whatever a server does for ever", () => {
  test.each<[what: string, fault: Fault, limits: Partial<typeof SHORT>]>([
    ["hangs before the headers", () => {}, { headers: 20 }],
    ["hangs in the middle", (response) => response.writeHead(200, STREAM).write(half()), { stall: 30 }],
    ["only pings", pinging(), { stall: 30 }],
    ["never stops sending", endless, { answer: 60 }],
  ])("%s", async (_what, fault, limits) => {
    await using server = await failing(...Array<Fault>(10).fill(fault));
    await using session = await liveSession(server.url, { limits });

    const done = await ask(session, "go");

    expect(retriesOf(done)).toHaveLength(9);
    expect(done.result).toMatchObject({ is_error: true, terminal_reason: "api_error" });
    expect(done.result.result).toMatch(/within 0\.\d+ s \(PAWL_(HEADERS|STALL|ANSWER)_TIMEOUT_MS\)/);
    expect((await ask(session, "and now?")).result.result).toBe("Answer to request 11.");
    expectContinued(server.received);
  });

  function endless(response: ServerResponse): void {
    response.writeHead(200, STREAM).write(half());
    const delta = sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "more " } });
    const timer = setInterval(() => response.write(delta), 10);
    response.on("close", () => clearInterval(timer));
  }
});

test("deadlines and fallback models may stand in the settings; what cannot be meant there is said and left out", async () => {
  await using server = await failing(() => {});
  await using session = await liveSession(server.url, {
    env: { PAWL_HEADERS_TIMEOUT_MS: "" },
    userSettings: { timeouts: { headersMs: 30, stallMs: "long" }, fallbackModel: ["haiku", "nobody"] },
  });

  const done = await ask(session, "go");

  expect(retriesOf(done).map(({ reason }) => reason.replace(/\d+\.\d+\.\d+\.\d+:\d+/, "HOST"))).toEqual([
    "no response from HOST within 0.03 s (PAWL_HEADERS_TIMEOUT_MS)",
  ]);
  expect(informationOf(done)).toEqual([
    expect.stringMatching(/settings\.json:1: timeouts\.stallMs is a string; write a whole number, such as 90000$/),
    expect.stringMatching(/^fallbackModel of the settings is left out: unknown model "nobody"/),
  ]);
});

test("a call that has run is not run again when the next request fails (B18)", async () => {
  const call = use("toolu_1", "Bash", { command: "echo ran >> ran.txt" });
  await using server = await loopbackServer((response, _received, count) => {
    if (count === 1) answers200({ blocks: [call] })(response);
    else if (count <= 4) response.writeHead(200, STREAM).write(half(), () => response.destroy());
    else answers200(text("Done."))(response);
  });
  await using session = await liveSession(server.url, {
    allowedTools: ["Bash"],
    tools: ["Bash", "Read"],
    env: { PAWL_STREAM_CUT_RECOVERY: "retry" },
  });

  const done = await ask(session, "go");

  expect(done.result.result).toBe("Done.");
  expect(retriesOf(done).map(({ attempt, reason }) => [attempt, /broke off|ended before/.test(reason)])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  const { readFile } = await import("node:fs/promises");
  expect(await readFile(`${session.root}/ran.txt`, "utf8")).toBe("ran\n");
  expectContinued(server.received);
});

function informationOf({ frames }: { frames: Awaited<ReturnType<typeof ask>>["frames"] }): string[] {
  return frames.flatMap((frame) =>
    frame.type === "system" && frame.subtype === "informational" && frame.level !== "info" ? [frame.content] : [],
  );
}

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
