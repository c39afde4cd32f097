import { expect, test } from "vitest";
import { frameFaults, streamFaults } from "./support/frame-checker.ts";
import { says as answer, canonical, messagesApi, refuses } from "./support/messages-api.ts";
import { ended, framesOf, resultsOf, says, Workspace } from "./support/pawl.ts";

const both = ["--input-format", "stream-json", "--output-format", "stream-json"];
const user = (content: unknown, more = {}) =>
  `${JSON.stringify({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...more })}\n`;

const bitmap = { type: "image", source: { type: "base64", media_type: "image/bmp", data: "Qk0=" } };

test("json: one object, the result", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "Four." }] }]);

  const { code, stdout } = await workspace.run(["-p", "2 + 2?", "--output-format", "json", ...model]);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(stdout)).toMatchObject({ type: "result", subtype: "success", result: "Four.", num_turns: 1 });
});

test("json: an error is an object too, and exit 1", async () => {
  await using workspace = await Workspace.create();
  const round = { answer: [{ tool: "Glob", input: { pattern: "*" } }] };
  const model = await workspace.plays([round, round]);

  const { code, stdout } = await workspace.run(["-p", "Go.", "--output-format=json", "--max-turns=1", ...model]);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ subtype: "error_max_turns", is_error: true });
});

test("stream-json: whole lines from init to result, all of one session", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    { answer: [{ text: "Looking." }, { tool: "Glob", input: { pattern: "*.json" } }] },
    { answer: [{ text: "Found." }] },
  ]);

  const { code, stdout, stderr } = await workspace.run([
    "-p",
    "Go.",
    "--output-format",
    "stream-json",
    "--verbose",
    ...model,
  ]);

  expect([code, stderr]).toEqual([0, ""]);
  const frames = framesOf(stdout);
  expect(frames.map((frame) => frame.type)).toEqual([
    "system",
    "assistant",
    "assistant",
    "user",
    "assistant",
    "result",
  ]);
  expect(new Set(frames.map((frame) => frame.session_id)).size).toBe(1);
});

test("pieces of the answer come only when they are asked for", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "In pieces." }] }]);
  const args = ["-p", "Go.", "--output-format", "stream-json", ...model];
  const hasPieces = (stdout: string) => framesOf(stdout).some((frame) => frame.type === "stream_event");

  expect(hasPieces((await workspace.run(args)).stdout)).toBe(false);
  expect(hasPieces((await workspace.run([...args, "--include-partial-messages"])).stdout)).toBe(true);
});

test("several turns in one process, without -p; closing the input ends it after the last", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "One." }] }, { answer: [{ text: "Two." }] }]);
  const child = workspace.start([...both, ...model]);
  const end = ended(child);

  child.stdin.write(user("First?"));
  await says(child.stdout, '"result":"One."');
  child.stdin.write(`\n${JSON.stringify({ type: "keep_alive" })}\n`);
  child.stdin.end(user([{ type: "text", text: "Second?" }]));
  const { code, stdout } = await end;

  expect(code).toBe(0);
  expect(resultsOf(stdout)).toMatchObject([{ result: "One." }, { result: "Two." }]);
});

test("user messages are given back when that is asked for, as they came and with their own uuid", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(answer("Hi.", { id: "msg_1" }), answer("Ho.", { id: "msg_2" }));
  const uuids = ["7f2504e0-4f89-41d3-9a0c-0305e82c3301", "8f2504e0-4f89-41d3-9a0c-0305e82c3301"];
  const prompts = uuids.map((uuid, n) => user(`Hello ${n}.`, { uuid })).join("");

  const { stdout } = await workspace.run([...both, "--replay-user-messages"], prompts, api.env);

  const frames = framesOf(stdout);
  expect(streamFaults(frames)).toEqual([]);
  expect(frames.filter((frame) => frame.type === "user")).toEqual(
    uuids.map((uuid, n) => ({
      ...{ type: "user", parent_tool_use_id: null, isReplay: true, uuid, session_id: frames[0]?.session_id },
      message: { role: "user", content: [{ type: "text", text: `Hello ${n}.` }] },
    })),
  );
  expect(frames.map((frame) => frame.type)).toEqual(Array(2).fill(["system", "user", "assistant", "result"]).flat());
});

const refusedLines: readonly (readonly [line: string, told: string])[] = [
  ["Hello\n", "standard input, line 2 is not JSON: write one object a line"],
  ['{"type":"prompt"}\n', 'standard input, line 3: type "prompt" is not known here; send "user"'],
  ['{"type":"user","message":{"role":"user"}}\n', 'standard input, line 4: "message.content" must be text or a list'],
  [user(" "), "standard input, line 5: The prompt is empty"],
  [user([bitmap]), "standard input, line 6: The prompt cannot be sent: "],
];

test("a line that cannot be taken is told, a user message with a result, and the turns after it come", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "One." }] }, { answer: [{ text: "Two." }] }]);
  const lines = refusedLines.map(([line]) => line).join("");

  const { code, stdout, stderr } = await workspace.run(
    [...both, ...model],
    `${user("First?")}${lines}${user("Second?")}`,
  );

  expect(code).toBe(1);
  const told = refusedLines.map(([, text]) => expect.stringContaining(text));
  expect(stderr.trimEnd().split("\n")).toEqual(told);
  const frames = framesOf(stdout).slice(3, -3);
  const one = resultsOf(stdout)[0];
  const refused = (text: unknown) => ({
    ...{ type: "result", subtype: "error_during_execution", is_error: true, terminal_reason: "turn_setup_failed" },
    ...{ num_turns: 0, errors: [text], session_id: one?.session_id },
    ...{ modelUsage: one?.modelUsage, total_cost_usd: one?.total_cost_usd },
  });
  const warning = (content: unknown) => ({ type: "system", subtype: "informational", level: "warning", content });
  expect(frames).toMatchObject([...told.slice(0, 2).map(warning), ...told.slice(2).map(refused)]);
  expect(frames.flatMap(frameFaults)).toEqual([]);
  expect(resultsOf(stdout).at(-1)).toMatchObject({ result: "Two." });
});

test("a request for control that is not known gets an error, and the session goes on", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "One." }] }]);
  const request = { type: "control_request", request_id: "req_1", request: { subtype: "initialize" } };
  const child = workspace.start([...both, ...model]);
  const end = ended(child);

  child.stdin.write(`${JSON.stringify(request)}\n`);
  await says(child.stdout, '"req_1"');
  child.stdin.end(user("First?"));
  const { code, stdout, stderr } = await end;

  expect([code, stderr]).toEqual([0, ""]);
  const error = 'control request "initialize" is not supported: only user messages are';
  expect(framesOf(stdout)[0]).toEqual({
    type: "control_response",
    response: { subtype: "error", request_id: "req_1", error },
  });
  expect(resultsOf(stdout)).toMatchObject([{ result: "One." }]);
});

test("an input that asks for no turn ends well, with nothing on any stream", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "Never." }] }]);

  const nothing = { code: 0, stdout: "", stderr: "" };
  expect(await workspace.run([...both, ...model])).toEqual(nothing);
  expect(await workspace.run([...both, ...model], '\n{"type":"keep_alive"}\n')).toEqual(nothing);
});

test("SIGINT ends the turn that runs, and the session goes on", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    {
      expect: { lastUserText: "Wait." },
      answer: [{ tool: "Bash", input: { command: "echo begun > begun; sleep 300" } }],
    },
    { answer: [{ text: "Still here." }] },
  ]);
  const child = workspace.start([...both, "--allowedTools", "Bash", ...model]);
  const end = ended(child);

  child.stdin.write(user("Wait."));
  await says(child.stdout, '"tool_use"');
  child.kill("SIGINT");
  await says(child.stdout, '"type":"result"');
  child.stdin.end(user("Go on."));
  const { code, stdout } = await end;

  expect(code).toBe(0);
  expect(resultsOf(stdout)).toMatchObject([{ is_error: true }, { result: "Still here." }]);
});

test("turns on one wire: each prompt continues the last, a failed turn leaves the session ready, commands need no model", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(
    answer("One.", { id: "msg_1" }),
    refuses(400, "invalid_request_error", "not so"),
    answer("Three.", { id: "msg_3" }),
  );
  const prompts = ["First?", "Second?", "/model", "Third?", "/clear"].map((text) => user(text)).join("");

  const { code, stdout, stderr } = await workspace.run(both, prompts, api.env);

  const frames = framesOf(stdout);
  expect([code, stderr]).toEqual([0, ""]);
  expect(streamFaults(frames)).toEqual([]);
  expect(resultsOf(stdout)).toMatchObject([
    { result: "One.", is_error: false, num_turns: 1 },
    { is_error: true, terminal_reason: "api_error", num_turns: 1 },
    { local_command: "model", result: "The model is claude-sonnet-5-5.", num_turns: 0, usage: { input_tokens: 0 } },
    { result: "Three.", is_error: false, num_turns: 1, usage: { input_tokens: 100 } },
    { local_command: "clear", is_error: false },
  ]);
  expect(frames.filter((frame) => frame.type === "conversation_reset")).toMatchObject([{ trigger: "clear" }]);
  const [first = [], second = [], third = []] = api.bodies.map(canonical);
  expect(second.slice(0, first.length)).toEqual(first);
  expect(third.slice(0, second.length)).toEqual(second);
});

test("the last turn's result decides the exit code", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(answer("One."), refuses(400, "invalid_request_error", "not so"));

  const { code } = await workspace.run(both, user("First?") + user("Second?"), api.env);

  expect(code).toBe(1);
});
