import { randomUUID } from "node:crypto";
import type { SdkMessage, SdkResult } from "@pawl/core";
import type { Refusal, RefusalContext } from "../run-turns.ts";

/**
 * How input that is not taken shows in the stream. Whoever sent a user message waits for its result and gets one; of any
 * other line nobody does, and a result would be taken for that of another message.
 */
export function refusalFrame({ refused, isPrompt }: Refusal, { sessionId, last }: RefusalContext): SdkMessage {
  const envelope = { uuid: randomUUID(), session_id: sessionId };
  if (isPrompt) return { ...refusedTurn(refused, last), ...envelope };
  return { type: "system", subtype: "informational", content: refused, level: "warning", ...envelope };
}

/** A turn that never began. What counts up over the session stays as it was. */
function refusedTurn(refused: string, last: SdkResult | undefined): Omit<SdkResult, "uuid" | "session_id"> {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: last === undefined ? 0 : last.total_cost_usd,
    usage: noUsage,
    modelUsage: last?.modelUsage ?? {},
    permission_denials: [],
    terminal_reason: "turn_setup_failed",
    errors: [refused],
  };
}

const noUsage: SdkResult["usage"] = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
};
