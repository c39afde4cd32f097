import http from "node:http";
import type https from "node:https";
import type { LookupFunction } from "node:net";
import { type ProxyEnv, proxyCredentials, proxyFor, socketHost } from "./proxy.ts";

/** `path` is absolute, with its query. */
export type HttpRequest = { method: string; path: string; headers: http.OutgoingHttpHeaders };

/** Kept-alive connections to one origin, through the proxy that the environment names for it. */
export type Connections = {
  /** Opens a request; the caller writes its body, listens for `error` and reads the response. */
  request(options: HttpRequest): http.ClientRequest;
  /** Runs `listener` once the request has a working connection, at once for a kept-alive one. */
  onConnected(request: http.ClientRequest, listener: () => void): void;
  /** Closes the unused sockets, so that the next request opens a fresh one. */
  dropIdle(): void;
  close(): void;
};

export type ConnectionOptions = {
  /** Where the proxy variables are looked up. */
  env?: ProxyEnv;
  /** Certificates (PEM) to trust in place of the system's; `NODE_EXTRA_CA_CERTS` needs nothing here, Node reads it. */
  ca?: string | readonly string[];
  /** Resolves the origin's name for direct connections; default the system's. */
  lookup?: LookupFunction;
};

const MAX_IDLE_SOCKETS = 8;

/** @throws PawlError `bad_option` when a proxy variable cannot be read. */
export async function connectTo(origin: URL, options: ConnectionOptions = {}): Promise<Connections> {
  const proxy = proxyFor(origin, options.env ?? {});
  const isSecure = origin.protocol === "https:";
  const pool = { keepAlive: true, scheduling: "lifo", maxFreeSockets: MAX_IDLE_SOCKETS } as const;
  if (!isSecure) {
    const module = proxy?.protocol === "https:" ? await import("node:https") : http;
    const agent = new module.Agent({ ...pool, ...trusted(options) });
    return connections(
      proxy === undefined ? direct(http, origin, agent, options) : forwarded(module, origin, proxy, agent),
      {
        agent,
        ready: proxy?.protocol === "https:" ? "secureConnect" : "connect",
      },
    );
  }
  // Not imported above: TLS costs several milliseconds and some memory that a plain connection never needs.
  const secure = await import("node:https");
  if (proxy === undefined) {
    const agent = new secure.Agent({ ...pool, ...trusted(options) });
    return connections(direct(secure, origin, agent, options), { agent, ready: "secureConnect" });
  }
  const { TunnelAgent } = await import("./http-tunnel.ts");
  const agent = new TunnelAgent(proxy, { ...pool, ...trusted(options) });
  return connections(direct(secure, origin, agent), { agent, ready: undefined });
}

type Open = Connections["request"];

function direct(
  module: typeof http | typeof https,
  origin: URL,
  agent: http.Agent,
  { lookup }: ConnectionOptions = {},
): Open {
  const target = { host: socketHost(origin), port: origin.port, agent, ...(lookup === undefined ? {} : { lookup }) };
  return (request) => module.request({ ...target, ...request });
}

/** A plain request goes to the proxy with the whole address in its first line. */
function forwarded(module: typeof http | typeof https, origin: URL, proxy: URL, agent: http.Agent): Open {
  const target = { host: socketHost(proxy), port: proxy.port || undefined, agent };
  const extra = { host: origin.host, ...proxyCredentials(proxy) };
  return ({ method, path, headers }) =>
    module.request({ ...target, method, path: origin.origin + path, headers: { ...headers, ...extra } });
}

/** `ready`: what a new socket says when it can be used; undefined when it is handed over in that state. */
function connections(
  open: Open,
  { agent, ready }: { agent: http.Agent; ready: "connect" | "secureConnect" | undefined },
): Connections {
  return {
    request(options) {
      const request = open(options);
      // Who changes the protocol unasked gives no response, and nothing else would ever come.
      request.once("upgrade", (_response, socket) => {
        socket.destroy();
        request.emit("error", new Error("the server answered in another protocol (HTTP 101)"));
      });
      return request;
    },
    onConnected(request, listener) {
      request.once("socket", (socket) => {
        if (request.reusedSocket || ready === undefined) listener();
        else socket.once(ready, listener);
      });
    },
    dropIdle() {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    close: () => agent.destroy(),
  };
}

function trusted({ ca }: ConnectionOptions): { ca?: string | string[] } {
  if (ca === undefined) return {};
  return { ca: typeof ca === "string" ? ca : [...ca] };
}
