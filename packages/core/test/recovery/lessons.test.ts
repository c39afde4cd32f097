import { readdir } from "node:fs/promises";
import { type ApiBlock, createEngine, tool } from "@pawl/core";
import { expect, test } from "vitest";
import { lines } from "../scenarios/engine-harness.ts";
import { sse } from "../support/anthropic.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { answers200, eventsOf, freshId, type Said, STREAM, text, use } from "./answers.ts";
import { ask, type LiveSession, liveSession, retriesOf } from "./live-session.ts";
import { bodyOf, canonical, expectContinued } from "./wire.ts";

/** Faults that users of other agents reported, each played over a real connection: the session goes on, and what is sent is valid. */

/** Answers one after another; the last one again and again. */
const saying = (...said: readonly Said[]) =>
  loopbackServer((response, _received, count) => {
    const one = said[Math.min(count, said.length) - 1];
    if (one !== undefined) answers200(one)(response);
  });

const lastMessage = (received: { body: string } | undefined): ApiBlock[] => {
  if (received === undefined) throw new Error("no such request");
  return bodyOf(received).messages.at(-1)?.content ?? [];
};

const resultsIn = (blocks: readonly ApiBlock[]) =>
  blocks.flatMap((block) => (block.type === "tool_result" ? [[block["tool_use_id"], block["content"]]] : []));

/** The session of another engine that goes on from the disk. */
async function resumed({ engine, options }: LiveSession): Promise<LiveSession> {
  await engine.close();
  const again = await createEngine({ ...options, resume: engine.sessionId });
  return { engine: again, options, root: options.cwd ?? "", [Symbol.asyncDispose]: () => again.close() };
}

const sleeper = (started: () => void) =>
  tool("slow", "Sleeps.", { type: "object" }, async (_input, { signal }) => {
    started();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "never";
  });

test("two calls, left while the second runs: each has its result in the very next message, in order (B1)", async () => {
  const calls = [use("toolu_a", "Glob", { pattern: "*.none" }), use("toolu_b", "slow", {})];
  await using server = await saying({ blocks: calls }, text("I go on."));
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  await using session = await liveSession(server.url, {
    customTools: [sleeper(() => begun())],
    allowedTools: ["slow"],
  });
  const first = ask(session, "go");
  await started;
  session.engine.interrupt();

  expect((await first).result.terminal_reason).toBe("aborted_tools");
  expect((await ask(session, "go on")).result.result).toBe("I go on.");

  const sent = lastMessage(server.received[1]);
  expect(resultsIn(sent).map(([id]) => id)).toEqual(["toolu_a", "toolu_b"]);
  expect(sent.map(({ type }) => type)).toEqual(["tool_result", "tool_result", "text", "text"]);
  expectContinued(server.received);
});

test("three calls, of which one is denied and one throws, with input that comes between: three results, then the input (B2)", async () => {
  const calls = [use("toolu_a", "Write", { file_path: "x", content: "x" }), use("toolu_b", "broken", {})];
  await using server = await saying({ blocks: [...calls, use("toolu_c", "Glob", { pattern: "*" })] }, text("Done."));
  const broken = tool("broken", "Breaks.", { type: "object" }, async () => {
    session.engine.enqueue("and this");
    throw new Error("broken");
  });
  await using session = await liveSession(server.url, {
    customTools: [broken],
    allowedTools: ["broken"],
    disallowedTools: ["Write(**)"],
  });

  await ask(session, "go");

  const sent = lastMessage(server.received[1]);
  expect(resultsIn(sent).map(([id]) => id)).toEqual(["toolu_a", "toolu_b", "toolu_c"]);
  expect(sent.slice(3)).toMatchObject([{ type: "text", text: "and this" }]);
  expectContinued(server.received);
});

test.each([
  ["thinking that is shown", { type: "thinking", thinking: "So, Ünï 🦉:\n\t“hm”", signature: "EqQBCg==" }],
  ["thinking that is not shown", { type: "thinking", thinking: "", signature: "EqQBCgIYAhIM" }],
] as const)("%s goes back from the disk as it came (B3)", async (_what, thinking) => {
  const call = use("toolu_1", "Glob", { pattern: "*" });
  await using server = await saying({ blocks: [thinking, call] }, text("Done."), text("Again."));
  await using session = await liveSession(server.url);
  await ask(session, "go");
  await using later = await resumed(session);

  await ask(later, "and now?");

  const sent = server.received.map((request) => bodyOf(request).messages.flatMap(({ content }) => content));
  expect(sent[1]).toContainEqual(thinking);
  expect(sent[2]).toContainEqual(thinking);
  expectContinued(server.received);
});

test("an answer left right after its thinking is gone, with a marker in its place, also from the disk (B5)", async () => {
  const thought = { type: "thinking", thinking: "hm", signature: "s" } as const;
  const events = eventsOf({ blocks: [thought, { type: "text", text: "x" }] }, freshId());
  await using server = await loopbackServer((response, _received, count) => {
    if (count > 1) return answers200(text("I go on."))(response);
    return response.writeHead(200, STREAM).write(sse(...events.slice(0, 5)));
  });
  await using session = await liveSession(server.url, { limits: { stall: 5_000 } });
  const first = ask(session, "go");
  await untilSeen(server.received);
  await new Promise((resolve) => setTimeout(resolve, 50));
  session.engine.interrupt();
  await first;
  await using later = await resumed(session);

  expect((await ask(later, "go on")).result.result).toBe("I go on.");

  expect(bodyOf(server.received[1] ?? { body: "" }).messages.map(({ role }) => role)).toEqual(["user"]);
  expect(JSON.stringify(lastMessage(server.received[1]))).toContain("[Request interrupted by user]");
  expectContinued(server.received);
});

test("blank text and a tool without output leave nothing blank in what is sent (B6)", async () => {
  const quiet = tool("quiet", "Says nothing.", { type: "object" }, async () => "");
  const blank = { type: "text", text: "\n\n" } as const;
  await using server = await saying({ blocks: [blank, use("toolu_1", "quiet", {})] }, text("Done."), text("Again."));
  await using session = await liveSession(server.url, { customTools: [quiet], allowedTools: ["quiet"] });

  await ask(session, "go");
  await using later = await resumed(session);
  await ask(later, "and now?");

  expect(resultsIn(lastMessage(server.received[1]))).toEqual([["toolu_1", "(quiet completed with no output)"]]);
  expect(server.received).toHaveLength(3);
  expectContinued(server.received);
});

test("an image that the provider refuses becomes a text, once, and stays one, also from the disk (B9)", async () => {
  const picture = tool("picture", "A picture.", { type: "object" }, async () => ({
    content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }],
  }));
  await using server = await loopbackServer((response, received, count) => {
    if (count === 1) return answers200({ blocks: [use("toolu_1", "picture", {})] })(response);
    if (!received.body.includes(PNG)) return answers200(text(`Answer ${count}.`))(response);
    const message = "messages.2.content.0.tool_result.content.0.image.source.base64: image exceeds 5 MB maximum";
    const error = { type: "invalid_request_error", message };
    return response.writeHead(400).end(JSON.stringify({ type: "error", error }));
  });
  await using session = await liveSession(server.url, { customTools: [picture], allowedTools: ["picture"] });

  expect((await ask(session, "go")).result.result).toBe("Answer 3.");
  await using later = await resumed(session);
  expect((await ask(later, "and now?")).result.result).toBe("Answer 4.");

  expect(server.received.map(({ body }) => body.includes(PNG))).toEqual([false, true, false, false]);
  expect(resultsIn(bodyOf(server.received[3] ?? { body: "" }).messages[2]?.content ?? [])).toEqual([
    ["toolu_1", [{ type: "text", text: expect.stringMatching(/^\[image left out: .*exceeds 5 MB/) }]],
  ]);
  expectContinued(server.received.slice(2));
});

test.each([
  ["a call whose input the output limit cut", "max_tokens"],
  ["a call whose input is cut although the answer ended by itself", "end_turn"],
])("%s writes nothing, and the model is told (B12)", async (_what, stop) => {
  const half = (id: string): Said => ({
    blocks: [use(id, "Write", '{"file_path": "half.txt", "content": "half a fi')],
    stop,
  });
  await using server = await saying(half("toolu_1"), half("toolu_2"), text("Smaller, then."));
  await using session = await liveSession(server.url, { permissionMode: "bypassPermissions" });

  const done = await ask(session, "go");

  expect(done.result.result).toBe("Smaller, then.");
  expect(await readdir(session.root)).toEqual([]);
  expect(JSON.stringify(lastMessage(server.received.at(-1)))).toMatch(/was cut|not valid JSON|no JSON|is no/i);
  expectContinued(server.received);
});

test("an answer cut in its text and then in its thinking is only added to, and what was cut in it is kept (B15)", async () => {
  const cut = (...blocks: Said["blocks"]): Said => ({ blocks, stop: "max_tokens" });
  const thought = { type: "thinking", thinking: "hm", signature: "s" } as const;
  await using server = await saying(
    cut({ type: "text", text: "Never kept." }),
    cut({ type: "text", text: "The first part" }),
    cut({ type: "text", text: " the second" }, thought),
    text(" and the end."),
  );
  await using session = await liveSession(server.url);

  const done = await ask(session, "go");

  expect(server.received.map((request) => bodyOf(request).max_tokens)).toEqual([8_000, 64_000, 64_000, 64_000]);
  expect(done.result.result).toBe("The first part the second and the end.");
  expectContinued(server.received);
});

test("an answer that is overloaded three times writes one prompt and one answer, the answer below the prompt (B56)", async () => {
  await using server = await loopbackServer((response, _received, count) => {
    if (count > 3) return answers200(text("Done."))(response);
    return response.writeHead(529).end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
  });
  await using session = await liveSession(server.url);

  const done = await ask(session, "go");

  expect(retriesOf(done)).toHaveLength(3);
  const told = (await lines(session.engine.transcriptPath)).filter(
    ({ type }) => type === "user" || type === "assistant",
  );
  const [context, prompt, answer, ...others] = told;
  expect([prompt?.["parentUuid"], answer?.["parentUuid"]]).toEqual([context?.["uuid"], prompt?.["uuid"]]);
  expect(others).toEqual([]);
  const first = canonical(bodyOf(server.received[0] ?? { body: "" }));
  for (const request of server.received) expect(canonical(bodyOf(request))).toEqual(first);
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function untilSeen(received: readonly unknown[]): Promise<void> {
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
