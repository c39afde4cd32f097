import { writeFile } from "node:fs/promises";
import type { SdkMessage, SdkResult } from "@pawl/core";
import { expect, test } from "vitest";
import { streamFaults } from "./support/frame-checker.ts";
import {
  answers,
  eventsOf,
  MODEL,
  messagesApi,
  type Reply,
  refuses,
  says,
  stalls,
  uses,
} from "./support/messages-api.ts";
import { ended, framesOf, resultsOf, says as saysOn, Workspace } from "./support/pawl.ts";

const stream = ["-p", "Go.", "--output-format", "stream-json", "--verbose"];

/** What each reply of the mock costs: 100 tokens in, 20 out. */
const replyCostUsd = (100 * 2 + 20 * 10) / 1e6;

const usageOf = (replies: number) => ({
  input_tokens: 100 * replies,
  output_tokens: 20 * replies,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
});

const modelUsageOf = (replies: number) => ({
  [MODEL]: {
    inputTokens: 100 * replies,
    outputTokens: 20 * replies,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: expect.closeTo(replyCostUsd * replies, 10),
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
  },
});

/** The result of a turn of this many answers that went well. */
const resultOf = (replies: number): Omit<SdkResult, "uuid" | "session_id"> => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: expect.any(Number),
  duration_api_ms: expect.any(Number),
  num_turns: replies,
  total_cost_usd: expect.closeTo(replyCostUsd * replies, 10),
  usage: usageOf(replies),
  modelUsage: modelUsageOf(replies),
  permission_denials: [],
  terminal_reason: "completed",
  result: "Done.",
  ttft_ms: expect.any(Number),
  stop_reason: "end_turn",
});

type Run = { code: number | null; frames: SdkMessage[]; kinds: string[]; result: object; stderr: string };

/** Runs the program against these replies; the frames are checked against the contract whatever the test looks at. */
async function run(workspace: Workspace, replies: readonly Reply[], more: readonly string[] = []): Promise<Run> {
  await using api = await messagesApi(...replies);
  const { code, stdout, stderr } = await workspace.run([...stream, ...more], "", api.env);
  const frames = framesOf(stdout);
  expect(streamFaults(frames)).toEqual([]);
  const { uuid: _uuid, session_id: _session, ...result } = resultsOf(stdout)[0] ?? fail(stdout);
  return { code, frames, kinds: frames.map(kindOf), result, stderr };
}

const fail = (stdout: string): never => {
  throw new Error(`there is no result in ${stdout}`);
};
const kindOf = (frame: SdkMessage): string => ("subtype" in frame ? `${frame.type}/${frame.subtype}` : frame.type);

test("a plain answer: init, the answer with its request's id, and a result with every field", async () => {
  await using workspace = await Workspace.create();

  const { code, frames, result, stderr } = await run(workspace, [says("Done.")]);

  expect([code, stderr]).toEqual([0, ""]);
  const envelope = { uuid: expect.any(String), session_id: frames[0]?.session_id };
  expect(frames).toEqual([
    {
      ...{ type: "system", subtype: "init", ...envelope, apiKeySource: "ANTHROPIC_API_KEY", cwd: workspace.folder },
      ...{ claude_code_version: expect.stringMatching(/^\d+\.\d+\.\d+/), model: MODEL, output_style: "default" },
      ...{ permissionMode: "default", slash_commands: expect.arrayContaining(["clear", "model", "help"]) },
      tools: [
        ...["Read", "Write", "Edit", "NotebookEdit", "ApplyPatch", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"],
        ...["LSP", "TaskOutput", "TaskStop", "Monitor", "TodoWrite", "TaskCreate", "TaskGet"],
        ...["TaskUpdate", "TaskList", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree"],
        ...["ExitWorktree", "ScheduleWakeup", "CronCreate", "CronDelete", "CronList", "PushNotification"],
      ],
      ...{ skills: [], mcp_servers: [], plugins: [], agents: [] },
    },
    {
      ...{ type: "assistant", ...envelope, parent_tool_use_id: null, request_id: "req_msg_1" },
      message: {
        ...{ id: "msg_1", type: "message", role: "assistant", model: MODEL, stop_reason: null, stop_sequence: null },
        content: [{ type: "text", text: "Done." }],
        usage: { ...usageOf(1), output_tokens: 1 }, // as its beginning says
      },
    },
    { ...resultOf(1), ...envelope },
  ]);
  expect(result).toEqual(resultOf(1));
});

test("tools: one frame for each block, each result with its structured form", async () => {
  await using workspace = await Workspace.create();
  await writeFile(workspace.path("a.txt"), "alpha\n");
  const file_path = workspace.path("a.txt");
  const first = answers(
    [
      { thinking: "Hm." },
      { text: "Looking." },
      { id: "toolu_r", tool: "Read", input: { file_path } },
      { id: "toolu_b", tool: "Bash", input: { command: "echo beta" } },
    ],
    { id: "msg_0" },
  );

  const { code, frames, kinds, result } = await run(workspace, [first, says("Done.")], ["--allowedTools", "Bash"]);

  expect(code).toBe(0);
  expect(kinds).toEqual(["system/init", ...Array(4).fill("assistant"), "user", "user", "assistant", "result/success"]);
  const blocks = frames.flatMap((frame) =>
    frame.type === "assistant" ? [[frame.message.id, frame.message.content]] : [],
  );
  expect(blocks).toEqual([
    ["msg_0", [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }]],
    ["msg_0", [{ type: "text", text: "Looking." }]],
    ["msg_0", [{ type: "tool_use", id: "toolu_r", name: "Read", input: { file_path } }]],
    ["msg_0", [{ type: "tool_use", id: "toolu_b", name: "Bash", input: { command: "echo beta" } }]],
    ["msg_1", [{ type: "text", text: "Done." }]],
  ]);
  const results = frames.filter((frame) => frame.type === "user");
  expect(results.map(({ message, tool_use_result }) => [message, tool_use_result])).toMatchObject([
    [
      { content: [{ type: "tool_result", tool_use_id: "toolu_r" }] },
      { type: "text", file: { filePath: file_path, content: "alpha\n" } },
    ],
    [{ content: [{ type: "tool_result", tool_use_id: "toolu_b", content: "beta" }] }, { stdout: "beta\n", stderr: "" }],
  ]);
  expect(result).toEqual(resultOf(2));
});

test("a denial is told as it happens, and stands in the result with the tool's input (B72)", async () => {
  await using workspace = await Workspace.create();
  const input = { command: "touch made" };

  const { code, frames, kinds, result } = await run(workspace, [uses("0", "Bash", input), says("Done.")]);

  expect(code).toBe(0);
  expect(kinds).toEqual([
    ...["system/init", "assistant", "system/permission_denied", "user", "assistant", "result/success"],
  ]);
  expect(frames[2]).toMatchObject({
    tool_name: "Bash",
    tool_use_id: "toolu_0",
    message: expect.stringContaining("Bash"),
  });
  expect(frames[3]).toMatchObject({ message: { content: [{ tool_use_id: "toolu_0", is_error: true }] } });
  const permission_denials = [{ tool_name: "Bash", tool_use_id: "toolu_0", tool_input: input }];
  expect(result).toEqual({ ...resultOf(2), permission_denials });
});

test("the cap on rounds: an error that names it, with the usage so far, and exit 1", async () => {
  await using workspace = await Workspace.create();

  const { code, result } = await run(workspace, [uses("0", "Glob", { pattern: "*" })], ["--max-turns", "1"]);

  const { result: _, ...fields } = resultOf(1);
  expect(code).toBe(1);
  expect(result).toEqual({
    ...fields,
    ...{ subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns", stop_reason: "tool_use" },
    errors: ["Reached maximum number of turns (1)"],
  });
});

const apiErrors: readonly (readonly [status: number, type: string, error: string])[] = [
  [400, "invalid_request_error", "invalid_request"],
  [401, "authentication_error", "authentication_failed"],
  [402, "billing_error", "billing_error"],
  [404, "not_found_error", "model_not_found"],
];

test.each(apiErrors)(
  "a refusal by the API (%i): an answer of no model, success with is_error, exit 1 (B72)",
  async (status, type, error) => {
    await using workspace = await Workspace.create();

    const { code, frames, kinds, result } = await run(workspace, [refuses(status, type, "not like this")]);

    expect(code).toBe(1);
    expect(kinds).toEqual(["system/init", "assistant", "result/success"]);
    const prose = expect.stringMatching(new RegExp(`^API Error \\(${status}\\): not like this.*req_refused`));
    expect(frames[1]).toMatchObject({
      error,
      message: { model: "<synthetic>", content: [{ type: "text", text: prose }], usage: usageOf(0) },
    });
    const { ttft_ms: _, ...fields } = resultOf(0);
    expect(result).toEqual({
      ...fields,
      ...{ is_error: true, terminal_reason: "api_error", api_error_status: status, result: prose },
      ...{ num_turns: 1, total_cost_usd: 0, modelUsage: {}, stop_reason: null },
    });
  },
);

test("a refusal of the second request keeps what the first one used (B72)", async () => {
  await using workspace = await Workspace.create();
  const replies = [uses("0", "Glob", { pattern: "*" }), refuses(400, "invalid_request_error", "not like this")];

  const { code, result } = await run(workspace, replies);

  expect(code).toBe(1);
  expect(result).toMatchObject({ is_error: true, num_turns: 2, usage: usageOf(1), modelUsage: modelUsageOf(1) });
});

test("an overload is retried and told in public words; a limit that is reached is told with its reset", async () => {
  await using workspace = await Workspace.create();
  const limit = { "retry-after": "0", "anthropic-ratelimit-unified-reset": "1800000000" };
  const window = { "anthropic-ratelimit-unified-representative-claim": "five_hour" };
  const replies = [
    refuses(529, "overloaded_error", "busy"),
    refuses(429, "rate_limit_error", "slow down", { ...limit, ...window }),
    says("Done."),
  ];

  const { code, frames, result } = await run(workspace, replies);

  expect(code).toBe(0);
  const told = frames.slice(1, -2).map(({ uuid: _uuid, session_id: _session, ...frame }) => frame);
  const retry = {
    type: "system",
    subtype: "api_retry",
    max_retries: expect.any(Number),
    retry_delay_ms: expect.any(Number),
  };
  expect(told).toEqual([
    { ...retry, attempt: 1, error_status: 529, error: "overloaded", reason: expect.stringContaining("busy") },
    {
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: 1_800_000_000, rateLimitType: "five_hour" },
    },
    { ...retry, attempt: 2, error_status: 429, error: "rate_limit", reason: expect.stringContaining("slow down") },
  ]);
  expect(result).toEqual(resultOf(1));
});

test("a limit that is near is told once, and one that is far not at all", async () => {
  await using workspace = await Workspace.create();
  const unified = (status: string) => ({
    "anthropic-ratelimit-unified-status": status,
    "anthropic-ratelimit-unified-reset": "1800000000",
    "anthropic-ratelimit-unified-representative-claim": "seven_day",
    "anthropic-ratelimit-unified-7d-utilization": "0.91",
  });
  const reply = (id: string, status: string) => uses(id, "Glob", { pattern: id }, { headers: unified(status) });
  const replies = [reply("0", "allowed"), reply("1", "allowed_warning"), reply("2", "allowed_warning"), says("Done.")];

  const { frames } = await run(workspace, replies);

  const limits = frames.filter((frame) => frame.type === "rate_limit_event").map((frame) => frame.rate_limit_info);
  expect(limits).toEqual([
    { status: "allowed_warning", resetsAt: 1_800_000_000, rateLimitType: "seven_day", utilization: 0.91 },
  ]);
});

test("with --include-partial-messages the server's own events come through, and what the program waits for", async () => {
  await using workspace = await Workspace.create();
  const replies = [uses("0", "Glob", { pattern: "*" }), says("Done.")];

  const { frames, kinds, result } = await run(workspace, replies, ["--include-partial-messages"]);

  const events = frames.flatMap((frame) => (frame.type === "stream_event" ? [frame.event] : []));
  expect(events).toEqual(replies.flatMap(eventsOf));
  expect(kinds.filter((kind) => kind === "system/status")).toHaveLength(2);
  expect(frames[1]).toMatchObject({ type: "system", subtype: "status", status: "requesting" });
  expect(result).toEqual(resultOf(2));
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s while an answer comes: what came of it, a marker, the final record, exit %i (B72)",
  async (signal, code) => {
    await using workspace = await Workspace.create();
    await using api = await messagesApi(stalls("Half an answer"));
    const child = workspace.start([...stream, "--include-partial-messages"], api.env);
    child.stdin.end();
    const end = ended(child);
    await saysOn(child.stdout, '" answer"');

    child.kill(signal);
    const { code: exitCode, stdout, stderr } = await end;

    const frames = framesOf(stdout);
    expect([exitCode, stderr]).toEqual([code, ""]);
    expect(streamFaults(frames)).toEqual([]);
    expect(frames.filter((frame) => frame.type === "assistant").map((frame) => frame.message.content)).toEqual([
      [{ type: "text", text: "Half an answer" }],
    ]);
    expect(frames.find((frame) => frame.type === "user")).toMatchObject({ isSynthetic: true });
    expect(frames.at(-1)).toMatchObject({
      ...{ type: "result", subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" },
      errors: [`Interrupted by ${signal}`],
    });
  },
);

test("SIGTERM in a tool: the call has its result, and the final record comes", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(uses("0", "Bash", { command: "echo begun > begun; sleep 60" }));
  const child = workspace.start([...stream, "--allowedTools", "Bash"], api.env);
  child.stdin.end();
  const end = ended(child);
  await workspace.appears("begun");

  child.kill("SIGTERM");
  const { code, stdout } = await end;

  expect(code).toBe(143);
  expect(streamFaults(framesOf(stdout))).toEqual([]);
  expect(resultsOf(stdout)).toMatchObject([{ terminal_reason: "aborted_tools", errors: ["Interrupted by SIGTERM"] }]);
});

const refusals: readonly (readonly [name: string, args: readonly string[], code: number, stderr: RegExp])[] = [
  ["a bad flag", ["-p", "Go.", "--max-turns", "none"], 2, /^Error: --max-turns "none": give a whole number/],
  ["an unknown model", ["-p", "Go.", "--model", "gpt"], 2, /^Error: unknown model "gpt"; known aliases: .*opus/],
  ["a missing key", ["-p", "Go."], 2, /^Error: No API key .* set ANTHROPIC_API_KEY/],
  ["no prompt", ["-p"], 2, /^Error: there is no prompt: give one/],
  ["a folder that is not there", ["-p", "Go.", "--add-dir", "gone"], 2, /^Error: --add-dir "gone"/],
];

test.each(refusals)(
  "%s: told on stderr with the fix, no frame, its own exit code",
  async (_name, args, code, stderr) => {
    await using workspace = await Workspace.create();

    const outcome = await workspace.run([...args, "--output-format", "stream-json"]);

    expect(outcome).toEqual({ code, stdout: "", stderr: expect.stringMatching(stderr) });
  },
);
