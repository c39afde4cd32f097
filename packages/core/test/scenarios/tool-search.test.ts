import { createEngine, type EngineOptions, type Model, type ModelRequest, type Tool, tool } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { answers200, text, use } from "../recovery/answers.ts";
import { liveSession } from "../recovery/live-session.ts";
import { bodyOf, expectContinued } from "../recovery/wire.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

const textInput = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
const far = (name: string, description: string): Tool =>
  tool(name, description, textInput, async (input) => `${name} got ${String(input["text"])}`, {
    isReadOnly: true,
    deferred: true,
  });
const tools = [
  far("SendMail", "Sends a letter."),
  far("RingBell", "Rings a bell."),
  far("ReadTide", "Gives the tide."),
];
const options: EngineOptions = { customTools: tools, allowedTools: ["SendMail", "RingBell", "ReadTide"] };

const namesOf = (request: ModelRequest | undefined) => (request?.tools ?? []).map(({ name }) => name);

/** The texts and kinds in the results that the last message holds. */
function resultsOf(request: ModelRequest | undefined): unknown[] {
  return (request?.messages.at(-1)?.content ?? []).flatMap((block) =>
    block.type === "tool_result" ? [block.content] : [],
  );
}
const reference = (name: string) => ({ type: "other", raw: { type: "tool_reference", tool_name: name } });

test("a deferred tool is known by name only, is found by words, and from then on stands at the end of the tools", async () => {
  await using at = await place();
  const model = scriptedModel([
    uses("ToolSearch", { query: "ring bell" }),
    uses("RingBell", { text: "ding" }),
    uses("ToolSearch", { query: "select:SendMail,RingBell" }),
    uses("SendMail", { text: "dear" }),
    says("Done."),
  ]);
  const { frames, result } = await oneTurn({ ...at.options, ...options, model });

  const before = namesOf(model.requests[0]);
  expect(before).toContain("ToolSearch");
  expect(before).not.toContain("RingBell");
  expect(model.requests.map((request) => namesOf(request).slice(before.length))).toEqual([
    [],
    ["RingBell"],
    ["RingBell"],
    ["RingBell", "SendMail"],
    ["RingBell", "SendMail"],
  ]);
  expect(model.requests.every((request) => namesOf(request).slice(0, before.length).join() === before.join())).toBe(
    true,
  );
  const search = model.requests[0]?.tools.find(({ name }) => name === "ToolSearch");
  expect(search?.description).toMatch(/\nSendMail\nRingBell\nReadTide$/);
  expect(resultsOf(model.requests[1])).toEqual([[reference("RingBell")]]);
  expect(resultsOf(model.requests[2])).toEqual(["RingBell got ding"]);
  expect(result.result).toBe("Done.");
  const structured = frames.flatMap((frame) => (frame.type === "user" ? [frame.tool_use_result] : []));
  expect(structured[0]).toEqual({ matches: ["RingBell"], query: "ring bell", total_deferred_tools: 3 });
});

test("a tool that was not searched for is not run: the model is told to search first", async () => {
  await using at = await place();
  const model = scriptedModel([uses("SendMail", { text: "dear" }), says("Oh.")]);
  await oneTurn({ ...at.options, ...options, model });

  expect(resultsOf(model.requests[1])).toEqual([expect.stringContaining('query "select:SendMail"')]);
});

test("a resumed session still has what it found", async () => {
  await using at = await place();
  const first = scriptedModel([uses("ToolSearch", { query: "select:ReadTide" }), says("Found.")]);
  const engine = await createEngine({ ...at.options, ...options, model: first });
  await turn(engine, "go");
  await engine.close();
  const state = (await lines(engine.transcriptPath)).filter(({ part }) => part === "loadedTools");
  expect(state).toHaveLength(1);

  const second = scriptedModel([uses("ReadTide", { text: "now" }), says("High.")]);
  const { result } = await oneTurn({ ...at.options, ...options, model: second, resume: engine.sessionId });
  expect(namesOf(second.requests[0]).at(-1)).toBe("ReadTide");
  expect(resultsOf(second.requests[1])).toEqual(["ReadTide got now"]);
  expect(result.result).toBe("High.");
});

/** As a server gives them. */
const foreign = (name: string, more: Partial<Tool> = {}): Tool => {
  const { deferred: _, ...plain } = far(name, "x".repeat(400));
  return { ...plain, origin: "mcp", ...more };
};
const withReferences = (toolReferences: "taken" | "unproven") => (model: Model) => ({
  ...model,
  toolReferences,
  stream: model.stream.bind(model),
});

test.each([
  ["unset, where references are taken", undefined, withReferences("taken"), "deferred"],
  ["unset, by an address of one's own", undefined, withReferences("unproven"), "sent"],
  ["unset, with a model that takes none", undefined, (model: Model) => model, "sent"],
  ["true, with a model that takes none", "true", (model: Model) => model, "deferred"],
  ["false", "false", withReferences("taken"), "sent"],
  ["auto, below a tenth of the window", "auto", withReferences("taken"), "sent"],
  ["auto:0", "auto:0", withReferences("taken"), "deferred"],
  ["auto:100", "auto:100", withReferences("taken"), "sent"],
])("MCP tools, mode %s", async (_name, mode, as, expected) => {
  await using at = await place();
  const model = scriptedModel([says("Done.")]);
  const env = mode === undefined ? {} : { ENABLE_TOOL_SEARCH: mode };
  const customTools = [foreign("Far"), foreign("Near", { deferred: false })];
  const { frames } = await oneTurn({
    ...at.options,
    customTools,
    model: as(model),
    env: { ...at.options.env, ...env },
  });

  const sent = (model.requests[0]?.tools ?? []).filter(({ deferLoading }) => deferLoading !== true);
  const names = sent.map(({ name }) => name);
  expect([names.includes("Far"), names.includes("ToolSearch"), names.includes("Near")]).toEqual([
    ...(expected === "sent" ? [true, false] : [false, true]),
    true,
  ]);
  const init = frames.find((frame) => frame.type === "system" && frame.subtype === "init");
  expect(init).toMatchObject({ tools: expect.arrayContaining(["Far", "Near"]) });
});

test.each(["maybe", "auto:", "auto:200", "auto:10:1", ":"])("the mode %j is refused", async (mode) => {
  await using at = await place();
  const env = { ...at.options.env, ENABLE_TOOL_SEARCH: mode };
  await expect(createEngine({ ...at.options, model: scriptedModel([]), env })).rejects.toThrow(/auto:N/);
});

test("where the search is not offered nothing is deferred", async () => {
  await using at = await place();
  const model = scriptedModel([says("Done.")]);
  await oneTurn({ ...at.options, ...options, tools: ["Read"], model });

  expect(namesOf(model.requests[0])).toEqual(["Read", "SendMail", "RingBell", "ReadTide"]);
});

type WireTool = { name: string; defer_loading?: boolean };
const wireTools = (body: string) => (JSON.parse(body) as { tools: WireTool[] }).tools;

test("over the wire deferred tools go along unseen, are referred to, and survive a compaction", async () => {
  const answers = [
    answers200({ blocks: [use("toolu_1", "ToolSearch", { query: "+bell" })] }),
    answers200({ blocks: [use("toolu_2", "RingBell", { text: "ding" })] }),
    answers200(text(`Rung. ${"far ".repeat(300_000)}`)), // more than what is kept behind a summary
  ];
  const tooLong = {
    type: "error",
    error: { type: "invalid_request_error", message: "prompt is too long: 9 > 8 maximum" },
  };
  let hasRefused = false;
  await using server = await loopbackServer((response, received) => {
    const asksForSummary = wireToolsOrNone(received.body).length === 0;
    if (asksForSummary) return answers200(text("<summary>We rang the bell.</summary>"))(response);
    const next = answers.shift();
    if (next !== undefined) return next(response);
    if (hasRefused) return answers200(text("Again."))(response);
    hasRefused = true;
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(tooLong));
  });
  await using session = await liveSession(server.url, { ...options, env: { ENABLE_TOOL_SEARCH: "true" } });
  await turn(session.engine, "go");

  const bodies = server.received.map(({ body }) => body);
  const deferred = (body = "{}") =>
    wireTools(body)
      .filter((each) => each.defer_loading)
      .map(({ name }) => name);
  expect(bodies.map(deferred)).toEqual(Array(3).fill(["SendMail", "RingBell", "ReadTide"]));
  expect(bodyOf({ body: bodies[1] ?? "" }).messages.at(-1)?.content[0]).toMatchObject({
    content: [{ type: "tool_reference", tool_name: "RingBell" }],
  });
  expectContinued(server.received);

  const { result } = await turn(session.engine, "once more");
  expect(result.result).toBe("Again.");
  const summary = server.received.find(({ body }) => wireToolsOrNone(body).length === 0);
  expect(summary?.body).not.toContain("tool_reference");
  const last = server.received.at(-1)?.body ?? "";
  expect(last).not.toContain('"tool_reference"');
  expect(deferred(last)).toEqual(["SendMail", "ReadTide"]);
  expect(wireTools(last).map(({ name }) => name)).toContain("RingBell");
});

const wireToolsOrNone = (body: string) => (JSON.parse(body) as { tools?: WireTool[] }).tools ?? [];
