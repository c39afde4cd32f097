import type { AddressInfo } from "node:net";
import { createEngine } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { oneTurn, place, turn } from "./engine-harness.ts";

test("messages of a watched web socket come to the model in a turn of their own, and so does its end", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((listening) => server.once("listening", listening));
  server.on("connection", (socket) => {
    socket.send("deployed v2");
    socket.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  await using at = await place();
  const watch = { description: "deployments", timeout_ms: 60_000, ws: { url: `ws://127.0.0.1:${port}/events` } };
  const engine = await createEngine({
    ...at.options,
    env: { ...at.options.env, PAWL_WEB_FETCH_PRIVATE_HOSTS: "127.0.0.1" },
    model: scriptedModel([[uses("Monitor", watch)], says("I watch."), says("Seen."), says("Seen all.")]),
    canUseTool: async () => ({ behavior: "allow" }),
  });
  await turn(engine, "watch the deployments");
  const heard = () => JSON.stringify(engine.messages);
  while (!heard().includes("closed the socket")) {
    await engine.noticed(new AbortController().signal);
    for await (const _ of engine.submitNotices());
  }
  expect(heard()).toContain("deployed v2");
  await engine.close();
  await new Promise((closed) => server.close(closed));
});

test.each(["WebFetch", "WebFetch(domain:127.0.0.1)", "Web*"])(
  "what %s denies is not watched either, in whatever mode",
  async (rule) => {
    let connections = 0;
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await new Promise((listening) => server.once("listening", listening));
    server.on("connection", () => {
      connections += 1;
    });
    const { port } = server.address() as AddressInfo; // it listens on a port
    await using at = await place();
    const watch = { description: "deployments", timeout_ms: 60_000, ws: { url: `ws://127.0.0.1:${port}/events` } };
    const model = scriptedModel([[uses("Monitor", watch)], says("I may not.")]);

    const { result } = await oneTurn({
      ...{ ...at.options, model, permissionMode: "bypassPermissions", disallowedTools: [rule] },
      env: { ...at.options.env, PAWL_WEB_FETCH_PRIVATE_HOSTS: "127.0.0.1" },
    });

    expect(result.permission_denials).toMatchObject([{ tool_name: "Monitor" }]);
    expect(connections).toBe(0);
    await new Promise((closed) => server.close(closed));
  },
);
