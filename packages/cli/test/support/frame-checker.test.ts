import { expect, test } from "vitest";
import { frameFaults, streamFaults } from "./frame-checker.ts";

const session_id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const uuid = (n: number) => `7f2504e0-4f89-41d3-9a0c-${String(n).padStart(12, "0")}`;

const init = {
  ...{ type: "system", subtype: "init", uuid: uuid(1), session_id, apiKeySource: "none", claude_code_version: "1.0.0" },
  ...{ cwd: "/", model: "m", output_style: "default", permissionMode: "default", tools: [], slash_commands: [] },
  ...{ skills: [], mcp_servers: [], plugins: [] },
};

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const result = {
  ...{ type: "result", subtype: "success", uuid: uuid(2), session_id, is_error: false, duration_ms: 1 },
  ...{ duration_api_ms: 1, num_turns: 1, stop_reason: "end_turn", total_cost_usd: 0.5, usage, modelUsage: {} },
  ...{ permission_denials: [], terminal_reason: "completed", result: "Done." },
};

const assistant = (n: number, content: object) => ({
  ...{ type: "assistant", uuid: uuid(n), session_id, parent_tool_use_id: null },
  message: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", content: [content], stop_reason: null },
    ...{ stop_sequence: null, usage },
  },
});
const call = assistant(3, { type: "tool_use", id: "t", name: "Read", input: {} });

test("frames as they should be have no fault", () => {
  expect(streamFaults([init, assistant(3, { type: "text", text: "Hi." }), result])).toEqual([]);
});

const { result: _, ...withoutText } = result;
const wrong: readonly (readonly [string, object, string])[] = [
  ["an unknown kind", { type: "news" }, "news is no known kind"],
  ["an unknown field", { ...result, colour: "red" }, "result/success.colour is not known"],
  ["a missing field", withoutText, "result/success.result is missing"],
  ["a field of another type", { ...result, num_turns: "1" }, 'result/success.num_turns is "1", not a whole number'],
  ["a word that is not public", { ...result, terminal_reason: "done" }, 'result/success.terminal_reason is "done"'],
  [
    "a wrong field deep inside",
    { ...result, modelUsage: { m: { inputTokens: 1 } } },
    "result/success.modelUsage.m.outputTokens is missing",
  ],
  ["the text of an answer on an error", { ...result, subtype: "error_max_turns" }, "errors is missing"],
  ["no session", { ...init, session_id: "" }, 'system/init.session_id is "", not a UUID'],
];

test.each(wrong)("%s is a fault", (_name, frame, fault) => {
  expect(frameFaults(frame).join("; ")).toContain(fault);
});

test.each([
  ["a turn without a result", [init], "a turn has no result"],
  ["a turn without an init", [result], "a turn begins with result and has 0 init frames"],
  ["a call without a result", [init, call, result], "the call t has no result"],
  ["two frames with one uuid", [init, { ...result, uuid: init.uuid }], "a uuid stands twice"],
])("%s is a fault of the stream", (_name, frames, fault) => {
  expect(streamFaults(frames)).toEqual([fault]);
});
