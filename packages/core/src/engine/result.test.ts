import { expect, test } from "vitest";
import type { Terminal } from "../query/transition.ts";
import { failureText, type ResultFields, resultFields } from "./result.ts";

const good = (terminal_reason: string, result = "The text."): ResultFields => ({
  ...{ subtype: "success", is_error: false, terminal_reason, result },
});
const failed = (subtype: ResultFields["subtype"], terminal_reason: string, error: unknown): ResultFields => ({
  ...{ subtype, is_error: true, terminal_reason },
  errors: [error as string],
});
const ofModel = (terminal_reason: string, result: string, api_error_status: number | null): ResultFields => ({
  ...{ subtype: "success", is_error: true, terminal_reason, result, api_error_status },
});

const network = { type: "network", phase: "connect", message: "no route to the host" } as const;
const tooLong = { type: "prompt_too_long", status: 400, message: "prompt is too long" } as const;
const media = { type: "media", status: 400, message: "the image is too large" } as const;

/** Every terminal, as the frame that ends its turn shows it: the public words hold to the letter. */
const table: readonly (readonly [name: string, terminal: Terminal, fields: ResultFields])[] = [
  ["completed", { reason: "completed" }, good("completed")],
  ["refusal", { reason: "refusal" }, { ...good("completed"), is_error: true }],
  ["stop_hook_prevented", { reason: "stop_hook_prevented" }, good("stop_hook_prevented")],
  ["hook_stopped", { reason: "hook_stopped" }, good("hook_stopped")],
  ["tool_deferred", { reason: "tool_deferred" }, good("tool_deferred")],
  [
    "aborted in the stream",
    { reason: "aborted", in: "stream" },
    failed("error_during_execution", "aborted_streaming", "Interrupted"),
  ],
  [
    "aborted in tools, by a signal",
    { reason: "aborted", in: "tools", signal: "SIGTERM" },
    failed("error_during_execution", "aborted_tools", "Interrupted by SIGTERM"),
  ],
  [
    "max_turns",
    { reason: "max_turns", limit: 3 },
    failed("error_max_turns", "max_turns", "Reached maximum number of turns (3)"),
  ],
  [
    "budget_exceeded",
    { reason: "budget_exceeded", limitUsd: 0.25 },
    failed("error_max_budget_usd", "budget_exhausted", "Reached maximum budget ($0.25)"),
  ],
  [
    "structured_output_failed",
    { reason: "structured_output_failed" },
    failed("error_max_structured_output_retries", "structured_output_retry_exhausted", expect.any(String)),
  ],
  [
    "prompt_too_long",
    { reason: "prompt_too_long", failure: tooLong },
    ofModel(
      "prompt_too_long",
      expect.stringMatching(/^API Error \(400\): prompt is too long\. Ask for less .*--continue .*\/clear/),
      400,
    ),
  ],
  [
    "image_error",
    { reason: "image_error", failure: media },
    ofModel("image_error", "API Error (400): the image is too large", 400),
  ],
  [
    "model_error",
    { reason: "model_error", failure: network },
    ofModel(
      "api_error",
      "API Error: no route to the host. Check the network, and the base URL if you have set one",
      null,
    ),
  ],
  [
    "malformed_tool_use",
    { reason: "malformed_tool_use" },
    { ...good("malformed_tool_use_exhausted", expect.any(String)), is_error: true },
  ],
  [
    "stuck",
    { reason: "stuck" },
    failed("error_during_execution", "blocking_limit", expect.stringMatching(/^Stopped: /)),
  ],
  [
    "setup_failed",
    { reason: "setup_failed", message: "the disk is full" },
    failed("error_during_execution", "turn_setup_failed", "the disk is full"),
  ],
];

test.each(table)("%s", (_name, terminal, fields) => {
  expect(resultFields(terminal, "The text.")).toEqual(fields);
});

test("the table has every terminal", () => {
  // A reason that is missing here does not compile.
  const reasons: Record<Terminal["reason"], true> = {
    ...{ completed: true, refusal: true, stop_hook_prevented: true, hook_stopped: true, tool_deferred: true },
    ...{ aborted: true, max_turns: true, budget_exceeded: true, structured_output_failed: true, stuck: true },
    ...{ prompt_too_long: true, image_error: true, model_error: true, malformed_tool_use: true, setup_failed: true },
  };

  expect([...new Set(table.map(([, { reason }]) => reason))].sort()).toEqual(Object.keys(reasons).sort());
});

test.each([
  [{ status: 404, type: "not_found" } as const, "Check the model's name (--model)"],
  [
    { status: 404, type: "not_found", baseUrl: "https://gate.example/ai" } as const,
    "Check the model's name (--model), and the base URL https://gate.example/ai (ANTHROPIC_BASE_URL)",
  ],
  [{ status: 401, type: "auth", setting: "ANTHROPIC_API_KEY" } as const, "Check ANTHROPIC_API_KEY"],
  [
    { status: 403, type: "auth", setting: "ANTHROPIC_API_KEY", baseUrl: "http://127.0.0.1:9" } as const,
    "Check ANTHROPIC_API_KEY, whether it may use this model (--model), and the base URL http://127.0.0.1:9 (ANTHROPIC_BASE_URL)",
  ],
  [{ type: "empty_answer" } as const, "Say it in other words, or try another model (--model)"],
])("%j says what to check", (failure, advice) => {
  const whole = { message: "no", ...failure };
  const status = "status" in failure ? ` (${failure.status})` : "";
  expect(failureText(whole)).toBe(`API Error${status}: no. ${advice}`);
});

test("a fallback model is not advised where it has failed too", () => {
  const failure = { type: "overloaded", phase: "headers", message: "busy" } as const;
  const terminal = { reason: "model_error", failure } as const;

  expect(resultFields(terminal, "").result).toContain("--fallback-model");
  const { result } = resultFields(terminal, "", { hasFallback: true });
  expect(result).toBe("API Error: busy. The fallback models were tried too: try again later, or with --unattended");
});
