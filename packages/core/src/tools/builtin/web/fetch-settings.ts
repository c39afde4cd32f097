import type { ProxyEnv } from "../../../lib/proxy.ts";
import type { Resolve } from "./public-address.ts";

/** How pages and sockets are reached. */
export type FetchSettings = {
  /** Where the proxy variables are looked up. */
  env?: ProxyEnv;
  /** Hosts, with or without port, that may be fetched though they are private, and without TLS. */
  privateHosts?: readonly string[];
  /** Certificates (PEM) to trust in place of the system's. */
  ca?: string;
  resolve?: Resolve;
  userAgent?: string;
  /** Sent with each request, over our own. */
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number;
};
