import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, type EngineOptions } from "@pawl/core";
import { expect, test } from "vitest";
import { type Place, place, type Turn, turn } from "../scenarios/engine-harness.ts";
import { isAlive } from "../support/is-alive.ts";
import { type LoopbackServer, loopbackServer } from "../support/loopback-server.ts";
import { answers200, text } from "./answers.ts";
import { serverEnv } from "./live-session.ts";

/** Takes the keys named; a request with another is refused. */
const taking = (...keys: readonly string[]) =>
  loopbackServer((response, { headers }) => {
    if (keys.includes(String(headers["x-api-key"]))) return answers200(text("Welcome."))(response);
    const error = { type: "authentication_error", message: "invalid x-api-key" };
    return response.writeHead(401).end(JSON.stringify({ type: "error", error }));
  });

/** A session whose user's settings name this helper. */
async function ask(
  at: Place,
  server: LoopbackServer,
  apiKeyHelper: string,
  more: { env?: Record<string, string>; onStart?: (engine: Awaited<ReturnType<typeof createEngine>>) => void } = {},
): Promise<Turn & { ms: number }> {
  await writeFile(join(at.home.root, "settings.json"), JSON.stringify({ apiKeyHelper }));
  const { ANTHROPIC_API_KEY: _key, ...env } = serverEnv(server.url);
  const options: EngineOptions = {
    ...at.options,
    model: "claude-sonnet-5-5",
    env: { ...at.options.env, ...env, ...more.env },
  };
  const engine = await createEngine(options);
  const startedAt = performance.now();
  try {
    const going = turn(engine, "go");
    more.onStart?.(engine);
    return { ...(await going), ms: performance.now() - startedAt };
  } finally {
    await engine.close();
  }
}

const sent = (server: LoopbackServer) =>
  server.received.map(({ headers }) => [headers["x-api-key"], headers["authorization"]]);

test("the helper of the user's settings gives the key, and is asked once", async () => {
  await using at = await place();
  await using server = await taking("key-of-helper-1");
  const counter = at.home.path("asked");

  const { frames, result } = await ask(at, server, `echo asked >> ${counter}; printf '  key-of-helper-1\\n\\n'`);

  expect(result.result).toBe("Welcome.");
  expect(frames.find((frame) => frame.type === "system" && frame.subtype === "init")).toMatchObject({
    apiKeySource: "apiKeyHelper",
  });
  expect(sent(server)).toEqual([["key-of-helper-1", "Bearer key-of-helper-1"]]);
  expect(await readFile(counter, "utf8")).toBe("asked\n");
});

test("a key that is refused is asked for anew, once, and the person sees the answer alone", async () => {
  await using at = await place();
  await using server = await taking("key-of-helper-2");
  const counter = at.home.path("asked");
  const helper = `echo x >> ${counter}; echo key-of-helper-$(wc -l < ${counter} | tr -d ' ')`;

  const { frames, result } = await ask(at, server, helper);

  expect(result.result).toBe("Welcome.");
  expect(sent(server).map(([key]) => key)).toEqual(["key-of-helper-1", "key-of-helper-2"]);
  expect(frames.filter((frame) => frame.type === "assistant" && frame.error !== undefined)).toEqual([]);
});

test("a key that stays refused is an error that names the helper, and never shows the key", async () => {
  await using at = await place();
  await using server = await taking();

  const { frames, result } = await ask(at, server, "echo key-of-helper-0");

  expect(sent(server)).toHaveLength(2);
  expect(result).toMatchObject({ is_error: true, api_error_status: 401 });
  const advice = `Check apiKeyHelper in your settings, and the base URL ${server.url} (ANTHROPIC_BASE_URL)`;
  expect(result.result).toBe(`API Error (401): invalid x-api-key (HTTP 401). ${advice}`);
  expect(JSON.stringify(frames)).not.toContain("key-of-helper-0");
});

test.each([
  ["echo half-a-key; echo no vault >&2; exit 3", "apiKeyHelper ended with 3: no vault; run the command by hand"],
  ["true", "apiKeyHelper printed nothing; run the command by hand"],
])("a helper that fails (%s) sends nothing and says why", async (helper, why) => {
  await using at = await place();
  await using server = await taking();

  const { result } = await ask(at, server, helper);

  expect(server.received).toEqual([]);
  expect(result.result).toContain(why);
  expect(result.result).not.toContain("half-a-key");
});

test("a helper that hangs does not hold an interrupt up, and is ended with it", async () => {
  await using at = await place();
  await using server = await taking();
  const pid = at.home.path("pid");
  let interruptedAt = 0;

  const { result } = await ask(at, server, `echo $$ > ${pid}.new; mv ${pid}.new ${pid}; exec sleep 100`, {
    onStart: async (engine) => {
      while (!existsSync(pid)) await sleep(20);
      interruptedAt = performance.now();
      engine.interrupt("SIGINT");
    },
  });

  expect(result).toMatchObject({ terminal_reason: "aborted_streaming", errors: ["Interrupted by SIGINT"] });
  expect(performance.now() - interruptedAt).toBeLessThan(1_000);
  const child = Number(await readFile(pid, "utf8"));
  expect(isAlive(child)).toBe(false);
});

test("a key in a variable wins over the helper", async () => {
  await using at = await place();
  await using server = await taking("key-of-variable");

  const { frames, result } = await ask(at, server, "echo key-of-helper", {
    env: { ANTHROPIC_API_KEY: "key-of-variable" },
  });

  expect(result.result).toBe("Welcome.");
  expect(frames.find((frame) => frame.type === "system" && frame.subtype === "init")).toMatchObject({
    apiKeySource: "ANTHROPIC_API_KEY",
  });
});

test("a helper that takes long is named as what is waited for", async () => {
  await using at = await place();
  await using server = await taking("key-of-helper-1");

  const { frames, result } = await ask(at, server, "sleep 3.5; echo key-of-helper-1");

  const content = "waiting for apiKeyHelper, which gives the key for the model: at most 30 s";
  const told = frames.filter((frame) => frame.type === "system" && frame.subtype === "informational");
  expect([told, result.result]).toMatchObject([[{ content, level: "warning" }], "Welcome."]);
});
