/**
 * Messages in the API's own form, as they stand on the wire, on disk and in the public functions: unknown block kinds as
 * they are, extra fields (such as `uuid`) kept.
 */
export type ApiBlock = { type: string; [field: string]: unknown };
/** The kinds that a consumer meets in practice, so that `block.type === "text"` narrows. Others may come: pass them on. */
export type KnownApiBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content?: string | KnownApiBlock[]; is_error?: boolean }
  | { type: "image"; source: { type: "base64"; media_type: string; data: string } }
  | { type: "document"; source: { type: "base64"; media_type: string; data: string } };
export type ApiMessage = { role: "user" | "assistant"; content: string | ApiBlock[]; [field: string]: unknown };

/** Tokens as the API reports them. */
export type ApiUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  output_tokens_details?: { thinking_tokens: number };
};
