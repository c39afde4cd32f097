import type { ModelId } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";

/** Why the loop went round again. Tests assert on it, recovery reads it, the transcript records it. */
export type Transition =
  | { type: "next_round" }
  | { type: "max_output_tokens_escalate" }
  | { type: "max_output_tokens_lower"; limit: number }
  | { type: "max_output_tokens_recovery"; attempt: number }
  | { type: "collapse_drain_retry"; committed: number }
  | { type: "reactive_compact_retry" }
  | { type: "media_strip_retry" }
  | { type: "history_repair_retry" }
  | {
      type: "request_retry" | "cut_answer_continue" | "non_stream_retry";
      attempt: number;
      delayMs: number;
      failure: ModelFailure["type"];
    }
  | { type: "fallback_model"; from: ModelId; to: ModelId }
  | { type: "credential_refresh_retry" }
  | { type: "tool_left_out"; tool: string }
  | { type: "empty_answer_retry" | "malformed_tool_use_retry"; attempt: number }
  | { type: "stop_hook_blocking" }
  | { type: "structured_output_retry"; attempt: number }
  | { type: "budget_continue"; attempt: number }
  | { type: "pause_turn" };

/** The model is asked again after a wait: for the same, to go on from what came, or for the same in one piece. */
export type RetryTransition = Extract<Transition, { delayMs: number }>;

/** Why the turn ended. */
export type Terminal =
  /** `structuredOutput` is there when output by a schema was wanted. */
  | { reason: "completed"; structuredOutput?: unknown }
  | { reason: "refusal" | "stop_hook_prevented" | "hook_stopped" | "tool_deferred" }
  | { reason: "aborted"; in: "stream" | "tools"; signal?: NodeSignal }
  | { reason: "max_turns"; limit: number }
  /** `isPriceUnknown`: what was spent cannot be counted, and so not be held to the limit. */
  | { reason: "budget_exceeded"; limitUsd: number; isPriceUnknown?: true }
  | { reason: "budget_exceeded"; limitTokens: number }
  | { reason: "budget_exceeded"; limitMs: number }
  | { reason: "budget_exceeded"; limitToolCalls: number }
  | { reason: "prompt_too_long" | "image_error" | "model_error"; failure: ModelFailure }
  | { reason: "structured_output_failed" | "malformed_tool_use" | "stuck" }
  | { reason: "setup_failed"; message: string };
export type NodeSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
