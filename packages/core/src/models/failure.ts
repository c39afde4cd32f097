/** What can go wrong between a request and a whole answer. A value, never thrown. */
export type ModelFailure =
  | {
      type: "overloaded" | "server" | "network" | "cut" | "stalled" | "timeout";
      status?: number;
      phase: Phase;
      /** As the provider asks. */
      retryAfterMs?: number;
      message: string;
    }
  | {
      type: "rate_limited";
      status?: number;
      retryAfterMs?: number;
      resetsAt?: number;
      /** The provider's word for the limit that was hit, such as `five_hour`. */
      window?: string;
      message: string;
    }
  /** `setting`: where the refused credential comes from. `baseUrl`: what was asked, when it is not the provider's own address. */
  | { type: "auth"; status: 401 | 403; setting?: string; baseUrl?: string; message: string }
  | { type: "not_found"; status?: number; baseUrl?: string; message: string }
  | { type: "prompt_too_long"; status?: number; tokens?: number; limit?: number; message: string }
  | { type: "media"; status?: number; blockPath?: string; message: string }
  /** `toolIndex`: which of the request's tools is at fault, from 0. `outputLimit`: the highest `maxTokens` that is taken. */
  | {
      type: "invalid_request";
      status?: number;
      blockPath?: string;
      toolIndex?: number;
      outputLimit?: number;
      message: string;
    }
  | { type: "billing" | "unsupported"; status?: number; message: string }
  /** The answer, or a tool use in it, was cut; made by the loop, not by a provider. */
  | {
      type: "output_truncated";
      by: "output_limit" | "context_window" | "provider";
      /** The tool whose input was cut. */
      cutTool?: string;
      message: string;
    }
  /** The answer held nothing, or only thinking; made by the loop, not by a provider. */
  | { type: "empty_answer"; message: string }
  /** The model refused, and another may not; made by the loop, not by a provider. */
  | { type: "refused"; message: string }
  | { type: "aborted" };

export type Phase = "connect" | "headers" | "first_content" | "content" | "whole_answer";

const passing: ReadonlySet<ModelFailure["type"]> = new Set([
  "overloaded",
  "server",
  "network",
  "cut",
  "stalled",
  "timeout",
  "rate_limited",
]);

/** Whether the same request may succeed later. */
export const mayPass = (failure: ModelFailure): boolean => passing.has(failure.type);
