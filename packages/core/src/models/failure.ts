/** What can go wrong between a request and a whole answer. A value, never thrown. */
export type ModelFailure =
  | {
      type: "overloaded" | "server" | "network" | "cut" | "stalled" | "timeout";
      status?: number;
      phase: Phase;
      message: string;
    }
  | { type: "rate_limited"; status?: number; retryAfterMs?: number; resetsAt?: number; message: string }
  | { type: "auth"; status: 401 | 403; message: string }
  | { type: "prompt_too_long"; status?: number; tokens?: number; limit?: number; message: string }
  | { type: "media"; status?: number; blockPath?: string; message: string }
  | { type: "invalid_request"; status?: number; blockPath?: string; message: string }
  | { type: "billing" | "not_found" | "unsupported"; status?: number; message: string }
  /** The answer hit the output cap; made by the loop, not by a provider. */
  | { type: "output_truncated"; message: string }
  /** The answer held nothing, or only thinking; made by the loop, not by a provider. */
  | { type: "empty_answer"; message: string }
  | { type: "aborted" };

export type Phase = "connect" | "headers" | "first_content" | "content" | "whole_answer";
