import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";

export type Received = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string; socket: number };

export type LoopbackServer = AsyncDisposable & {
  url: string;
  /** What came, in order; `socket` numbers the connections from 1. */
  received: Received[];
  /** Resolves once a connection has ended. */
  closed: Promise<void>;
  sockets: Set<Socket>;
};

type Answering = (response: http.ServerResponse, received: Received, count: number) => unknown;

/** A real HTTP server on loopback that answers each request by `answer`; `await using` ends it with its sockets. */
export async function loopbackServer(
  answer: Answering,
  tls?: https.ServerOptions,
  wantedPort = 0,
): Promise<LoopbackServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<Socket, number>();
  const { promise: closed, resolve } = withResolvers();
  const listener: http.RequestListener = (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(pieces).toString();
      const one = { method, url, headers, body, socket: numbers.get(request.socket) ?? 0 };
      received.push(one);
      void answer(response, one, received.length);
    });
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    sockets.add(socket);
    numbers.set(socket, sockets.size);
    socket.on("error", () => socket.destroy());
    socket.on("close", resolve);
  });
  await new Promise<void>((listening) => server.listen(wantedPort, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    received,
    closed,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((ended) => server.close(ended));
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
