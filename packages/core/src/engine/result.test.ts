import { expect, test } from "vitest";
import type { Terminal } from "../query/transition.ts";
import { type ResultFields, resultFields } from "./result.ts";

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
    ofModel("prompt_too_long", expect.stringMatching(/^API Error \(400\): prompt is too long\. .*\/clear/), 400),
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
