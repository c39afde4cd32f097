/**
 * Messages in the API's own form, as they stand on the wire, on disk and in the public functions: unknown block kinds as
 * they are, extra fields (such as `uuid`) kept.
 */
export type ApiBlock = { type: string; [field: string]: unknown };
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
