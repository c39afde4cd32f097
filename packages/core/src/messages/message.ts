/** What a message is inside the engine. On the wire, on disk and in public functions the API's own form is used: `api-message.ts`. */

export type Uuid = string & { readonly brand: "Uuid" };
export type ToolUseId = string & { readonly brand: "ToolUseId" };
export type ModelId = string & { readonly brand: "ModelId" };

/** Who made an opaque block: it goes back only there. Never sent, only kept beside the block. */
export type Provenance = { provider: string; model: ModelId };

export type TextBlock = { type: "text"; text: string };
export type ThinkingBlock = { type: "thinking"; thinking: string; signature: string; provenance?: Provenance };
export type RedactedThinkingBlock = { type: "redacted_thinking"; data: string; provenance?: Provenance };
export type ToolUseBlock = {
  type: "tool_use";
  id: ToolUseId;
  name: string;
  input: Record<string, unknown>;
  /** The raw text when what came was not a JSON object; `input` is then `{}`. Such a call never runs and this is never sent. */
  unparsedInput?: string;
  /** Fields the engine does not know, such as `caller`: sent back as they came. */
  extra?: Record<string, unknown>;
};
export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: ToolUseId;
  content: string | ContentBlock[];
  is_error?: boolean;
  /** Fields the engine does not know: sent as they came. */
  extra?: Record<string, unknown>;
};
export type ImageBlock = { type: "image"; source: { type: "base64"; media_type: string; data: string } };
export type DocumentBlock = {
  type: "document";
  source: { type: "base64"; media_type: "application/pdf"; data: string };
};
/** A kind of block that the engine does not know, or a known one with fields it does not know: carried through unchanged. */
type OtherBlock = { type: "other"; raw: { type: string; [field: string]: unknown } };

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | OtherBlock;

/** Tokens. `input` excludes cache reads and writes. */
export type Usage = {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  thinking?: number;
};

/** The words of the API. */
export const stopReasons = [
  "end_turn",
  "stop_sequence",
  "tool_use",
  "max_tokens",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
] as const;
/** `unknown` stands for a word that is not among them. */
export type StopReason = (typeof stopReasons)[number] | "unknown";

/** Who a user message is from when no person typed it. The words are public. */
export const messageOrigins = ["task-notification", "auto-continuation", "channel", "peer", "coordinator"] as const;
export type MessageOrigin = { kind: (typeof messageOrigins)[number] };

export type UserMessage = {
  role: "user";
  uuid: Uuid;
  content: ContentBlock[];
  /** Injected by the engine: hidden from the person, seen by the model. */
  isMeta?: boolean;
  origin?: MessageOrigin;
  isCompactSummary?: boolean;
  /** With one `tool_result`: the tool's structured value, or the error text. For eyes and transcripts, never sent. */
  toolUseResult?: unknown;
  /** With one `tool_result`: the line that holds its `tool_use`. */
  sourceToolAssistantUuid?: Uuid;
  /** With one `tool_result`: why the call did not run. */
  toolDenialKind?: "user-rejected" | "rule" | "mode" | "host";
};

export type AssistantMessage = {
  role: "assistant";
  /** In the journal one line holds one block and has its own uuid; the lines of one answer share `id`. A whole answer carries its last line's. */
  uuid: Uuid;
  /** The provider's id of the answer. */
  id: string;
  requestId?: string;
  model: ModelId;
  content: ContentBlock[];
  /** null until the answer has ended. */
  stopReason: StopReason | null;
  /** null on every line of an answer but its last. */
  usage: Usage | null;
};

export type Message = UserMessage | AssistantMessage;

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const thinking = (a.thinking ?? 0) + (b.thinking ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    ...(a.thinking === undefined && b.thinking === undefined ? {} : { thinking }),
  };
}

export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";

/** The text of a message: its text blocks joined (those with citations too), nothing else. */
export function textOf(content: readonly ContentBlock[]): string {
  let text = "";
  for (const block of content) {
    const raw = block.type === "other" ? block.raw : block;
    if (raw.type === "text" && "text" in raw && typeof raw.text === "string") text += raw.text;
  }
  return text;
}
