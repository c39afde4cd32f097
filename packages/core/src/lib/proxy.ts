import type { OutgoingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";
import { PawlError } from "./error.ts";

/** The variables that name proxies; the lower-case spelling is read first, as other programs do. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that a connection to `target` must take: `HTTPS_PROXY` or `HTTP_PROXY` by the target's scheme, none where
 * `NO_PROXY` names the host (`host`, `.domain`, `*.domain`, `host:port`, an address, a range such as `10.0.0.0/8`, `*`).
 *
 * @throws PawlError `bad_option` when the variable is not an http or https address.
 */
export function proxyFor(target: URL, env: ProxyEnv): URL | undefined {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = read(env, name);
  if (value === undefined || isExempt(target, read(env, "NO_PROXY") ?? "")) return undefined;
  const address = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:") {
    throw new PawlError(
      "bad_option",
      `${name} is not an http or https address; write it like http://proxy.example:3128`,
    );
  }
  return proxy;
}

/** `Proxy-Authorization` for the name and password in the proxy's address. */
export function proxyCredentials(proxy: URL): OutgoingHttpHeaders {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** The host to connect to: an IPv6 address without its brackets. */
export const socketHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

function read(env: ProxyEnv, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
}

function isExempt(target: URL, noProxy: string): boolean {
  const host = bare(target.hostname);
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInRange(entry, host);
  const [, named = "", wantedPort] = /^(\[.*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const name = bare(named).replace(/^\*?\./, "");
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function isInRange(range: string, host: string): boolean {
  const [address = "", bits] = range.split("/");
  const family = isIP(address);
  const prefix = Number(bits);
  if (family === 0 || isIP(host) !== family || !(prefix >= 0 && prefix <= (family === 4 ? 32 : 128))) return false;
  const list = new BlockList();
  list.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
  return list.check(host, family === 4 ? "ipv4" : "ipv6");
}

/** A host without the brackets of an IPv6 address and without a last dot. */
function bare(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}
