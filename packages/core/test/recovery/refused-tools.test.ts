import { tool } from "@pawl/core";
import { expect, test } from "vitest";
import { lines } from "../scenarios/engine-harness.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { answers200, text } from "./answers.ts";
import { ask, errorsOf, type LiveSession, liveSession } from "./live-session.ts";
import { bodyOf, expectContinued } from "./wire.ts";

type Refused = { tools: { name: string; description: string; input_schema: { odd?: boolean } }[] };

/** Refuses the first tool of a request whose schema is odd, in the provider's words. */
const picky = () =>
  loopbackServer((response, received, count) => {
    const { tools } = bodyOf(received) as unknown as Refused; // the shape that the requests of this test have
    const index = tools.findIndex(({ input_schema }) => input_schema.odd);
    if (index < 0) return answers200(text(`Answer ${count}.`))(response);
    const message = `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
    const error = { type: "invalid_request_error", message };
    return response.writeHead(400).end(JSON.stringify({ type: "error", error }));
  });

const custom = (name: string, odd = false) =>
  tool(name, name, { type: "object", ...(odd ? { odd } : {}) }, async () => "x");
const offered = ({ body }: { body: string }) => (bodyOf({ body }).tools as { name: string }[]).map(({ name }) => name);
const warnings = ({ frames }: Awaited<ReturnType<typeof ask>>) =>
  frames.flatMap((frame) =>
    frame.type === "system" && frame.subtype === "informational" && frame.level === "warning" ? [frame.content] : [],
  );
const transitions = async ({ engine }: LiveSession) =>
  (await lines(engine.transcriptPath)).flatMap((line) => (line["kind"] === "transition" ? [line["transition"]] : []));

test("a tool whose schema the provider refuses is left out once and for all, recorded and told; the session goes on", async () => {
  await using server = await picky();
  await using session = await liveSession(server.url, {
    tools: [],
    customTools: [custom("one"), custom("two", true), custom("three"), custom("four", true)],
  });

  const first = await ask(session, "go");
  const second = await ask(session, "and now?");

  expect([first.result.result, second.result.result]).toEqual(["Answer 3.", "Answer 4."]);
  expect(server.received.map(offered)).toEqual([
    ["one", "two", "three", "four"],
    ["one", "three", "four"],
    ["one", "three"],
    ["one", "three"],
  ]);
  expect(errorsOf(first)).toEqual([]);
  expect(warnings(first)).toEqual([
    expect.stringMatching(
      /^The tool two is left out: the provider refuses it: tools\.1\.custom\.input_schema: JSON schema/,
    ),
    expect.stringMatching(/^The tool four is left out/),
  ]);
  expect(warnings(second)).toEqual([]);
  expect(await transitions(session)).toEqual([
    { type: "tool_left_out", tool: "two" },
    { type: "tool_left_out", tool: "four" },
  ]);
  expectContinued(server.received.slice(2));
});

test("more refused tools than a turn goes on without end it with the provider's error", async () => {
  await using server = await picky();
  const customTools = Array.from({ length: 12 }, (_, index) => custom(`odd_${index}`, true));
  await using session = await liveSession(server.url, { tools: [], customTools });

  const done = await ask(session, "go");

  expect(done.result).toMatchObject({ is_error: true, terminal_reason: "api_error", api_error_status: 400 });
  expect(done.result.result).toContain("tools.0.custom.input_schema");
  expect(server.received).toHaveLength(11);
});
