import type { ModelFailure } from "../models/failure.ts";
import type { Terminal } from "../query/transition.ts";
import type { SdkApiError, SdkResult } from "./sdk-message.ts";

/** What a terminal means in the `result` frame. */
export type ResultFields = Pick<
  SdkResult,
  "subtype" | "is_error" | "terminal_reason" | "result" | "errors" | "api_error_status" | "structured_output"
>;

/** What the session had to try beside its model: nobody is advised to use what has failed too. */
export type Tried = { hasFallback?: boolean };

/** The table of terminals: how each shows in the frame that ends its turn. `text` is the answer's. */
export function resultFields(terminal: Terminal, text: string, tried: Tried = {}): ResultFields {
  switch (terminal.reason) {
    case "completed":
      return { subtype: "success", is_error: false, terminal_reason: "completed", ...answerFields(terminal, text) };
    case "refusal":
      return { subtype: "success", is_error: true, terminal_reason: "completed", result: text };
    case "stop_hook_prevented":
    case "hook_stopped":
    case "tool_deferred":
      return { subtype: "success", is_error: false, terminal_reason: terminal.reason, result: text };
    case "aborted":
      return failed(
        "error_during_execution",
        `aborted_${terminal.in === "stream" ? "streaming" : "tools"}`,
        abortText(terminal),
      );
    case "max_turns":
      return failed("error_max_turns", "max_turns", `Reached maximum number of turns (${terminal.limit})`);
    case "budget_exceeded":
      return failed("error_max_budget_usd", "budget_exhausted", budgetText(terminal));
    case "structured_output_failed": {
      const message = "The model gave no output that fits the schema";
      return failed("error_max_structured_output_retries", "structured_output_retry_exhausted", message);
    }
    case "prompt_too_long":
    case "image_error":
    case "model_error":
      return {
        subtype: "success",
        is_error: true,
        terminal_reason: terminal.reason === "model_error" ? "api_error" : terminal.reason,
        result: failureText(terminal.failure, tried),
        api_error_status: statusOf(terminal.failure),
      };
    case "malformed_tool_use": {
      const result =
        "The model sent tool input that was not whole JSON too often; nothing of it ran. Ask for smaller steps.";
      return { subtype: "success", is_error: true, terminal_reason: "malformed_tool_use_exhausted", result };
    }
    case "stuck": {
      const message =
        "Stopped: the model made the same call with the same result again and again. Say what it should do instead.";
      return failed("error_during_execution", "blocking_limit", message);
    }
    case "setup_failed":
      return failed("error_during_execution", "turn_setup_failed", terminal.message);
    default:
      return terminal satisfies never;
  }
}

/** Output by a schema is the answer; it stands for the text too when the model said nothing beside it. */
function answerFields(
  terminal: Extract<Terminal, { reason: "completed" }>,
  text: string,
): Pick<SdkResult, "result" | "structured_output"> {
  if (!("structuredOutput" in terminal)) return { result: text };
  const { structuredOutput } = terminal;
  return { result: text === "" ? JSON.stringify(structuredOutput) : text, structured_output: structuredOutput };
}

function budgetText(terminal: Extract<Terminal, { reason: "budget_exceeded" }>): string {
  if ("limitTokens" in terminal) return `Reached the task budget (${terminal.limitTokens} tokens)`;
  if ("limitMs" in terminal) return `Reached the time that a turn may take (${terminal.limitMs / 1_000} s)`;
  if ("limitToolCalls" in terminal) return `Reached maximum number of tool calls (${terminal.limitToolCalls})`;
  if (!terminal.isPriceUnknown) return `Reached maximum budget ($${terminal.limitUsd})`;
  return `The maximum budget ($${terminal.limitUsd}) cannot be held: the price of the model that answered is not known`;
}

/** What went wrong with the model, in words that say what to do. */
export function failureText(failure: ModelFailure, tried: Tried = {}): string {
  if (failure.type === "aborted") return "The request was aborted";
  const status = statusOf(failure);
  return `API Error${status === null ? "" : ` (${status})`}: ${failure.message}${adviceFor(failure, tried)}`;
}

function adviceFor(failure: Exclude<ModelFailure, { type: "aborted" }>, { hasFallback }: Tried): string {
  switch (failure.type) {
    case "auth":
      return `. Check ${failure.setting ?? "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"}${accessAdvice(failure)}`;
    case "rate_limited":
      return failure.resetsAt === undefined
        ? ". Try again later; --unattended waits for it"
        : `. The limit resets at ${new Date(failure.resetsAt).toISOString()}; --unattended waits for it`;
    case "overloaded":
      return hasFallback
        ? ". The fallback models were tried too: try again later, or with --unattended"
        : ". Try again later, or with --fallback-model or --unattended";
    case "network":
      return ". Check the network, and the base URL if you have set one";
    case "server":
    case "cut":
    case "stalled":
    case "timeout":
      return ". Try again later";
    case "output_truncated":
      return ". What came is kept; ask it to go on";
    case "prompt_too_long":
      return ". Ask for less at once, or start anew: without --continue or --resume, or with /clear as the prompt";
    case "not_found":
      return failure.status === 404 ? `. Check the model's name (--model)${addressAdvice(failure)}` : "";
    case "empty_answer":
      return ". Say it in other words, or try another model (--model)";
    default:
      return "";
  }
}

/** A key that is known may still not be let in everywhere. */
function accessAdvice(failure: Extract<ModelFailure, { type: "auth" }>): string {
  const access = failure.status === 403 ? ", whether it may use this model (--model)" : "";
  return `${access}${addressAdvice(failure)}`;
}

const addressAdvice = ({ baseUrl }: { baseUrl?: string }): string =>
  baseUrl === undefined ? "" : `, and the base URL ${baseUrl} (ANTHROPIC_BASE_URL)`;

/** The public word for a failure, on the synthetic assistant frame that shows it. */
export function sdkApiError(failure: ModelFailure): SdkApiError {
  switch (failure.type) {
    case "auth":
      return "authentication_failed";
    case "billing":
      return "billing_error";
    case "rate_limited":
      return "rate_limit";
    case "overloaded":
      return "overloaded";
    case "not_found":
      return "model_not_found";
    case "output_truncated":
      return "max_output_tokens";
    case "prompt_too_long":
    case "media":
    case "invalid_request":
    case "unsupported":
      return "invalid_request";
    case "server":
    case "network":
    case "cut":
    case "stalled":
    case "timeout":
      return "server_error";
    case "empty_answer":
    case "refused":
    case "aborted":
      return "unknown";
    default:
      return failure satisfies never;
  }
}

export const statusOf = (failure: ModelFailure): number | null =>
  "status" in failure ? (failure.status ?? null) : null;

const failed = (subtype: SdkResult["subtype"], terminal_reason: string, message: string): ResultFields => ({
  subtype,
  is_error: true,
  terminal_reason,
  errors: [message],
});

const abortText = (terminal: Extract<Terminal, { reason: "aborted" }>) =>
  terminal.signal === undefined ? "Interrupted" : `Interrupted by ${terminal.signal}`;
