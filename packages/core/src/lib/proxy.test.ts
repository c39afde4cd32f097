import { describe, expect, test } from "vitest";
import { proxyCredentials, proxyFor } from "./proxy.ts";

const hostOf = (target: string, env: Record<string, string>) => proxyFor(new URL(target), env)?.host;

describe("the proxy of a connection", () => {
  test("is the one of its scheme, lower case first, empty is none", () => {
    const env = { HTTPS_PROXY: "http://upper:1", https_proxy: "http://lower:2", HTTP_PROXY: "plain:3" };

    expect(hostOf("https://api.example.com", env)).toBe("lower:2");
    expect(hostOf("https://api.example.com", { ...env, https_proxy: "" })).toBe("upper:1");
    expect(hostOf("http://api.example.com", env)).toBe("plain:3");
    expect(hostOf("https://api.example.com", {})).toBeUndefined();
  });

  test("that is no address is refused, without showing what may be a password", () => {
    expect(() => hostOf("https://api.example.com", { HTTPS_PROXY: "socks5://me:secret@proxy:1080" })).toThrow(
      /^HTTPS_PROXY is not an http or https address; write it like http:\/\/proxy.example:3128$/,
    );
    expect(() => hostOf("http://api.example.com", { HTTP_PROXY: "http://" })).toThrow("HTTP_PROXY is not");
  });

  test("gets the name and password of its address", () => {
    expect(proxyCredentials(new URL("http://me:p%40ss@proxy:3128"))).toEqual({
      "proxy-authorization": `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    });
    expect(proxyCredentials(new URL("http://proxy:3128"))).toEqual({});
  });
});

describe("NO_PROXY", () => {
  const isDirect = (target: string, noProxy: string) =>
    hostOf(target, { HTTPS_PROXY: "http://proxy:1", HTTP_PROXY: "http://proxy:1", NO_PROXY: noProxy }) === undefined;

  test.each([
    ["https://api.example.com", "api.example.com"],
    ["https://api.example.com", "example.com"],
    ["https://api.example.com", ".example.com"],
    ["https://api.example.com", "*.example.com"],
    ["https://API.Example.com", "localhost, EXAMPLE.com"],
    ["https://api.example.com", "localhost example.com"],
    ["https://api.example.com", "api.example.com:443"],
    ["http://api.example.com:8080", "api.example.com:8080"],
    ["https://api.example.com", "*"],
    ["http://127.0.0.1:3000", "127.0.0.1"],
    ["http://10.1.2.3", "10.0.0.0/8"],
    ["http://[::1]:3000", "::1"],
    ["http://[::1]:3000", "[::1]:3000"],
    ["http://[fd00::7]", "fd00::/8"],
  ])("%s is reached directly with %s", (target, noProxy) => {
    expect(isDirect(target, noProxy)).toBe(true);
  });

  test.each([
    ["https://api.example.com", ""],
    ["https://api.example.com", "ample.com"],
    ["https://api.example.com", "example.org"],
    ["https://api.example.com", "api.example.com:8443"],
    ["http://11.1.2.3", "10.0.0.0/8"],
    ["http://10.1.2.3", "10.0.0.0/99"],
    ["https://api.example.com", ","],
  ])("%s is not with %j", (target, noProxy) => {
    expect(isDirect(target, noProxy)).toBe(false);
  });
});
