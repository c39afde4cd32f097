import type { EngineOptions } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { loopbackServer } from "../support/loopback-server.ts";
import { oneTurn, place } from "./engine-harness.ts";

const serve = () =>
  loopbackServer((response, { url }) => {
    if (url === "/moved") response.writeHead(302, { location: "https://elsewhere.example/page" });
    else response.writeHead(200, { "content-type": "text/html" });
    response.end("<h1>Tides</h1><p>High at noon.</p>");
  });

async function fetched(url: string, more: EngineOptions = {}) {
  await using at = await place();
  const env = { ...at.options.env, PAWL_WEB_FETCH_PRIVATE_HOSTS: "127.0.0.1" };
  const model = scriptedModel([uses("WebFetch", { url, prompt: "When is high tide?" }), says("At noon.")]);
  const { frames, result } = await oneTurn({ ...at.options, env, model, ...more });
  const message = model.requests.at(-1)?.messages.at(-1);
  const structured = frames.flatMap((frame) => (frame.type === "user" ? [frame.tool_use_result] : []))[0];
  return { told: JSON.stringify(message?.content), structured, denied: result.permission_denials };
}

test("a host that a rule allows is fetched, and the small model answers from the page", async () => {
  await using server = await serve();
  const smallModel = scriptedModel([says("High tide is at noon.")]);
  const { told, structured } = await fetched(`${server.url}/`, {
    smallModel,
    allowedTools: ["WebFetch(domain:127.0.0.1)"],
  });
  expect(told).toContain("High tide is at noon.");
  expect(structured).toMatchObject({ code: 200, result: "High tide is at noon.", url: `${server.url}/` });
  expect(JSON.stringify(smallModel.requests[0]?.messages)).toContain("# Tides\\n\\nHigh at noon.");
});

test("a redirect to another host is told and not followed", async () => {
  await using server = await serve();
  const { told } = await fetched(`${server.url}/moved`, { allowedTools: ["WebFetch"] });
  expect(told).toContain("redirects to another host (302 Found): https://elsewhere.example/page");
});

test("without a rule and with nobody to ask nothing is sent", async () => {
  await using server = await serve();
  const { told, denied } = await fetched(`${server.url}/`);
  expect(told).toContain("requested permissions to use WebFetch");
  expect([denied.length, server.received.length]).toEqual([1, 0]);
});
