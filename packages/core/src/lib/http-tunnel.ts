import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { messageOf } from "./error.ts";
import { proxyCredentials, socketHost } from "./proxy.ts";

const TUNNEL_TIMEOUT_MS = 10_000;

/** An agent whose connections go through `proxy` by CONNECT, with TLS to the real host inside. */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  constructor(proxy: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    target: https.RequestOptions,
    callback: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    this.#secured(target).then(
      (socket) => callback(null, socket),
      // The type wants a socket beside the error; nobody looks at it.
      (error: unknown) => callback(error instanceof Error ? error : new Error(messageOf(error)), new Socket()),
    );
  }

  async #secured(target: https.RequestOptions): Promise<Duplex> {
    const socket = await tunnel(this.#proxy, `${bracketed(target.host ?? "")}:${target.port || 443}`);
    const { ca } = this.options;
    const secure = tls.connect({
      socket,
      ...(target.servername ? { servername: target.servername } : { host: target.host ?? "" }),
      ...(ca === undefined ? {} : { ca }),
    });
    return new Promise((resolve, reject) => {
      secure.once("error", reject);
      secure.once("secureConnect", () => {
        secure.off("error", reject);
        resolve(secure);
      });
    });
  }
}

/** A raw connection to `authority` (host and port) by way of `proxy`. */
function tunnel(proxy: URL, authority: string): Promise<Socket> {
  const module = proxy.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const request = module.request({
      host: socketHost(proxy),
      port: proxy.port,
      method: "CONNECT",
      path: authority,
      agent: false,
      timeout: TUNNEL_TIMEOUT_MS,
      headers: { host: authority, ...proxyCredentials(proxy) },
    });
    request.once("connect", (response, socket) => {
      if (response.statusCode === 200 && socket instanceof Socket) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused a tunnel to ${authority}: HTTP ${response.statusCode}`));
    });
    request.once("timeout", () => request.destroy(new Error(`the proxy ${proxy.host} did not answer in time`)));
    request.once("error", (cause) =>
      reject(new Error(`the proxy ${proxy.host} cannot be used: ${messageOf(cause)}`, { cause })),
    );
    request.end();
  });
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);
