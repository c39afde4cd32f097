import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { loopbackServer } from "../../../../test/support/loopback-server.ts";
import { watchSocket } from "./watch-socket.ts";

const local = { privateHosts: ["127.0.0.1"], env: {} };

async function socketServer(serve: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((listening) => server.once("listening", listening));
  server.on("connection", serve);
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `ws://127.0.0.1:${port}`,
    clients: server.clients,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const MINUTE_MS = 60_000;
const never = new AbortController().signal;

test("each message is told, and the end when the other side closes", async () => {
  await using server = await socketServer((socket) => {
    socket.send("one\ntwo");
    socket.send(Buffer.from([1, 2, 3]));
    socket.close(1000);
  });
  const told: string[] = [];
  const watch = await watchSocket({ url: server.url }, local, MINUTE_MS, (lines) => told.push(lines.toString()), never);

  expect(await watch.ended).toEqual({
    status: "completed",
    what: "ended: the other side closed the socket (code 1000)",
  });
  expect(told).toEqual(["one\ntwo\n", "(a binary message of 3 bytes)\n"]);
  expect(await watch.tail(1_000)).toBe("one\ntwo\n(a binary message of 3 bytes)\n");
});

test("a watch that is stopped, or whose time is over, closes its socket", async () => {
  await using server = await socketServer(() => {});
  const stopped = await watchSocket({ url: server.url }, local, MINUTE_MS, () => {}, never);
  stopped.stop();
  expect(await stopped.ended).toEqual({ status: "stopped", what: "was stopped" });

  const timed = await watchSocket({ url: server.url }, local, 50, () => {}, never);
  expect(await timed.ended).toEqual({ status: "completed", what: "was ended because its time was over" });
});

test("a message that is too long ends the watch", async () => {
  await using server = await socketServer((socket) => socket.send("x".repeat(1024 * 1024 + 1)));
  const watch = await watchSocket({ url: server.url }, local, MINUTE_MS, () => {}, never);
  expect(await watch.ended).toEqual({ status: "failed", what: expect.stringContaining("Max payload size exceeded") });
});

test.each([
  ["http://example.com/", "web_fetch"],
  ["wss://me:secret@example.com/", "web_fetch"],
  ["wss://127.0.0.1:1/", "private_address"],
  ["ws://localhost/", "private_address"],
])("%s is refused", async (url, code) => {
  await expect(watchSocket({ url }, { env: {} }, MINUTE_MS, () => {}, never)).rejects.toMatchObject({ code });
});

test("a name that resolves to a private address is refused", async () => {
  await using server = await socketServer(() => {});
  const settings = { env: {}, resolve: async () => [{ address: "127.0.0.1", family: 4 }] };
  const { port } = new URL(server.url);
  const watching = watchSocket({ url: `wss://rebound.example:${port}/` }, settings, MINUTE_MS, () => {}, never);
  await expect(watching).rejects.toMatchObject({ code: "private_address" });
  expect(server.clients.size).toBe(0);
});

test("a server that is no web socket's is told", async () => {
  const watching = watchSocket({ url: "ws://127.0.0.1:1/" }, local, MINUTE_MS, () => {}, never);
  await expect(watching).rejects.toThrow(/could not be watched: .*ECONNREFUSED/);
});

test("an opening that is aborted ends at once", async () => {
  await using server = await loopbackServer(() => {});
  const aborting = new AbortController();
  const url = server.url.replace("http", "ws");
  const opening = watchSocket({ url }, local, MINUTE_MS, () => {}, aborting.signal);
  setTimeout(() => aborting.abort(), 50);
  await expect(opening).rejects.toThrow("could not be watched");
});
