import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  modelAt,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { connectProxy } from "../../../test/support/connect-proxy.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";

const pem = (name: string) => readFileSync(new URL(`../../../test/cases/tls/${name}.pem`, import.meta.url), "utf8");
const ca = pem("loopback.cert");

const server = (isSecure: boolean) =>
  loopbackServer(
    (response) => answerWith(response, sse(...wholeAnswer("Hello."))),
    isSecure ? { cert: ca, key: pem("loopback.key") } : undefined,
  );

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("an https address", () => {
  test("is reached through a tunnel that is kept, and its certificate is checked inside", async () => {
    await using api = await server(true);
    await using proxy = await connectProxy();
    const env = { HTTPS_PROXY: `http://me:p%40ss@${proxy.url}` };
    const model = modelAt(api.url, { env, ca });

    expect(await eventsOf(model, asking("One"))).toEqual(wholeEvents("Hello."));
    expect(await eventsOf(model, asking("Two"))).toEqual(wholeEvents("Hello."));

    expect(proxy.asked).toEqual([{ line: `CONNECT ${new URL(api.url).host}`, authorization: basic("me:p@ss") }]);
    expect(api.received.map(({ headers }) => headers["proxy-authorization"])).toEqual([undefined, undefined]);
    expect(await eventsOf(modelAt(api.url, { env }), asking("Hi"))).toMatchObject([
      { failure: { type: "network", phase: "connect", message: expect.stringContaining("self-signed certificate") } },
    ]);
  });

  test("is reached directly where NO_PROXY names it", async () => {
    await using api = await server(true);
    await using proxy = await connectProxy();
    const env = { https_proxy: proxy.url, no_proxy: "127.0.0.1" };

    expect(await eventsOf(modelAt(api.url, { env, ca }), asking("Hi"))).toEqual(wholeEvents("Hello."));
    expect(proxy.asked).toEqual([]);
  });

  test("that the proxy refuses is a network failure that shows no password", async () => {
    await using api = await server(true);
    await using proxy = await connectProxy(407);
    const env = { HTTPS_PROXY: `http://me:secret-word@${proxy.url}` };

    expect(await eventsOf(modelAt(api.url, { env, ca }), asking("Hi"))).toEqual([
      {
        type: "failure",
        failure: {
          type: "network",
          phase: "connect",
          message:
            `cannot connect to ${new URL(api.url).host}: ` +
            `the proxy ${proxy.url} refused a tunnel to ${new URL(api.url).host}: HTTP 407`,
        },
        partial: [],
      },
    ]);
  });
});

test("a plain http address is asked for at the proxy with its whole address", async () => {
  await using api = await server(false);
  await using proxy = await connectProxy();

  expect(await eventsOf(modelAt(api.url, { env: { HTTP_PROXY: proxy.url } }), asking("Hi"))).toEqual(
    wholeEvents("Hello."),
  );
  expect(proxy.asked).toEqual([{ line: `POST ${api.url}/v1/messages`, authorization: undefined }]);
  expect(api.received[0]?.headers.host).toBe(new URL(api.url).host);
});

test("a proxy variable that cannot be read is refused before anything is sent", () => {
  expect(() => modelAt("https://127.0.0.1:9", { env: { HTTPS_PROXY: "socks5://127.0.0.1:1080" } })).toThrow(
    "HTTPS_PROXY is not an http or https address",
  );
});
