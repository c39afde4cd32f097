import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { asking, eventsOf, modelAt, sse, wholeAnswer, wholeEvents } from "../../../test/support/anthropic.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import { heldClock } from "../../testing/held-clock.ts";
import type { ModelEvent } from "../model.ts";
import { DEADLINES } from "./deadlines.ts";

/** Answers raw bytes to each request, whatever it says. */
async function rawServer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      requests.push(bytes.toString("latin1"));
      if (bytes.includes("POST ")) answer(socket);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((ended) => server.close(ended));
    },
  };
}

const whole = sse(...wholeAnswer("Hello."));
const STREAM = "content-type: text/event-stream\r\n";
const chunk = (text: string, extension = "") => `${Buffer.byteLength(text).toString(16)}${extension}\r\n${text}\r\n`;
const chunked = `HTTP/1.1 200 OK\r\n${STREAM}transfer-encoding: chunked\r\n\r\n`;
const SHORT = { connectMs: 2_000, headersMs: 300, firstContentMs: 300, contentGapMs: 300, wholeAnswerMs: 1_500 };
const at = (url: string) => modelAt(url, { deadlines: SHORT });
const failuresIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "failure" ? [event.failure] : []));

describe("what the protocol allows is read as it is meant", () => {
  test.each<[what: string, bytes: string, closes?: boolean]>([
    ["chunk extensions", `${chunked}${chunk(whole, ";a=b;c")}0\r\n\r\n`],
    ["trailers", `${chunked}${chunk(whole)}0\r\nx-checksum: 1\r\nx-late: 2\r\n\r\n`],
    [
      "early hints before the response",
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${chunked}${chunk(whole)}0\r\n\r\n`,
    ],
    ["an interim response", `HTTP/1.1 100 Continue\r\n\r\n${chunked}${chunk(whole)}0\r\n\r\n`],
    ["HTTP/1.0 that ends by closing", `HTTP/1.0 200 OK\r\n${STREAM}\r\n${whole}`, true],
    ["a byte in each chunk", `${chunked}${[...whole].map((byte) => chunk(byte)).join("")}0\r\n\r\n`],
  ])("%s", async (_what, bytes, closes = false) => {
    await using server = await rawServer((socket) => (closes ? socket.end(bytes) : socket.write(bytes)));

    expect(await eventsOf(at(server.url), asking("Hi"))).toEqual(wholeEvents("Hello."));
  });
});

describe("what no answer is ends within its bound, with an error that says what came", () => {
  test.each<[what: string, bytes: string, failure: object]>([
    ["204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", { type: "not_found", status: 204 }],
    [
      "a page with 200",
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9\r\n\r\n<b>Hi</b>`,
      { type: "not_found" },
    ],
    ["what is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", { type: "network", phase: "headers" }],
    [
      "headers without end",
      `HTTP/1.1 200 OK\r\n${`x-filler: ${"y".repeat(1_000)}\r\n`.repeat(100)}`,
      { type: "network" },
    ],
    ["a length that is not kept", `HTTP/1.1 200 OK\r\n${STREAM}content-length: 5\r\n\r\n${whole}`, { type: "cut" }],
    ["a bad chunk length", `${chunked}zz\r\n${whole}`, { phase: "first_content" }],
    [
      "an early hint and then nothing",
      "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n",
      { type: "timeout", phase: "headers" },
    ],
  ])("%s", async (_what, bytes, failure) => {
    await using server = await rawServer((socket) => socket.write(bytes));

    const failures = failuresIn(await eventsOf(at(server.url), asking("Hi")));

    expect(failures).toMatchObject([failure]);
  });

  test("a body that trickles, a byte now and then, ends by the deadline for a whole answer at the latest", async () => {
    await using server = await rawServer((socket) => {
      const bytes = `${chunked}${chunk(whole)}`;
      let sent = 0;
      const timer = setInterval(() => socket.write(bytes.slice(sent, ++sent)), 40);
      socket.on("close", () => clearInterval(timer));
    });

    const startedAt = performance.now();
    const [failure] = failuresIn(await eventsOf(at(server.url), asking("Hi")));

    expect(failure).toMatchObject({ type: expect.stringMatching(/timeout|stalled/) });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test("a redirect is not followed: the key goes to no other host", async () => {
    await using other = await rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    const location = `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${other.url}/v1/messages\r\ncontent-length: 0\r\n\r\n`;
    await using server = await rawServer((socket) => socket.write(location));

    const failures = failuresIn(await eventsOf(at(server.url), asking("Hi")));

    expect(failures).toMatchObject([{ type: "not_found", status: 307, message: expect.stringContaining(other.url) }]);
    expect(other.requests).toEqual([]);
  });

  test("a compressed refusal that would fill the memory is cut, and so is a line of the stream without end", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, "a"));
    await using refusing = await loopbackServer((response) =>
      response.writeHead(500, { "content-encoding": "gzip" }).end(bomb),
    );
    const endless = gzipSync(Buffer.concat([Buffer.from("data: "), Buffer.alloc(100 * 1024 * 1024, "a")]));
    await using streaming = await loopbackServer((response) =>
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" }).end(endless),
    );
    const patient = { deadlines: DEADLINES };

    const [refusal] = failuresIn(await eventsOf(modelAt(refusing.url, patient), asking("Hi")));
    const [cut] = failuresIn(await eventsOf(modelAt(streaming.url, patient), asking("Hi")));

    expect(refusal).toMatchObject({ type: "server", status: 500 });
    expect(JSON.stringify(refusal).length).toBeLessThan(5_000);
    expect(cut).toMatchObject({ type: "cut", message: expect.stringContaining("longer than") });
  }, 30_000);
});

describe("events that no server should send", () => {
  const [start, blockStart, textDelta, blockStop, messageDelta, messageStop] = wholeAnswer("Hello.");
  const sent = async (...events: readonly (object | undefined)[]) => {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    await using server = await rawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n${STREAM}connection: close\r\n\r\n${body}`),
    );
    return await eventsOf(at(server.url), asking("Hi"));
  };
  const textsOf = (events: readonly ModelEvent[]) =>
    events.flatMap((event) => (event.type === "block_end" && event.block.type === "text" ? [event.block.text] : []));

  test("a block that ends without having begun is passed over", async () => {
    const events = await sent(
      start,
      { ...blockStop, index: 7 },
      blockStart,
      textDelta,
      blockStop,
      messageDelta,
      messageStop,
    );

    expect(events).toEqual(wholeEvents("Hello."));
  });

  test("an index used twice, one block after the other, gives both", async () => {
    const block = [blockStart, textDelta, blockStop];

    expect(textsOf(await sent(start, ...block, ...block, messageDelta, messageStop))).toEqual(["Hello.", "Hello."]);
  });

  test("content after the end is no part of the answer", async () => {
    const events = await sent(
      start,
      blockStart,
      textDelta,
      blockStop,
      messageDelta,
      messageStop,
      blockStart,
      textDelta,
      blockStop,
    );

    expect(events.filter(({ type }) => type !== "block_end")).toEqual(
      wholeEvents("Hello.").filter(({ type }) => type !== "block_end"),
    );
    expect(textsOf(events)).toEqual(["Hello."]);
  });

  test("an answer without a start is no answer", async () => {
    expect(failuresIn(await sent(blockStart, textDelta, blockStop, messageDelta, messageStop))).toMatchObject([
      { type: "cut", message: "the stream ended without any answer" },
    ]);
  });

  test("bytes that are no UTF-8 become the sign for that, and the answer is whole", async () => {
    const [before = "", after = ""] = whole.split("Hello.");
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0x48, 0xff, 0xfe, 0x69]), Buffer.from(after)]);
    await using server = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${STREAM}connection: close\r\n\r\n`);
      socket.end(body);
    });

    expect(textsOf(await eventsOf(at(server.url), asking("Hi")))).toEqual(["H\ufffd\ufffdi"]);
  });
});

describe("a wait that the server asks for", () => {
  const YEAR_MS = 366 * 24 * 3_600_000;
  const clock = heldClock();
  const told = async (retryAfter: string) => {
    await using server = await loopbackServer((response) =>
      response
        .writeHead(529, { "retry-after": retryAfter })
        .end(JSON.stringify({ error: { type: "overloaded_error" } })),
    );
    const [failure] = failuresIn(await eventsOf(modelAt(server.url, { now: clock.now }), asking("Hi")));
    return failure && "retryAfterMs" in failure ? failure.retryAfterMs : undefined;
  };

  test.each([
    ["7", 7_000],
    ["0.5", 500],
    ["-3", 0],
    [new Date(clock.now() + 30_000).toUTCString(), 30_000],
    [new Date(clock.now() - 30_000).toUTCString(), 0],
    ["soon", undefined],
    ["Infinity", YEAR_MS],
    ["99999999999999999999", YEAR_MS],
  ])("%s", async (text, ms) => {
    expect(await told(text)).toBe(ms);
  });
});
