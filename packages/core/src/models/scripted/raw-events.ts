import type { ContentBlock, ModelId, StopReason, Usage } from "../../messages/message.ts";
import { toApiUsage } from "../../messages/normalize.ts";

/** The events of an answer in the Messages API's own form, for eyes. */

/** Characters of text, thinking or input in one delta. */
const DELTA_CHARS = 24;

type RawPiece = {
  event: { type: string; [field: string]: unknown };
  /** What of a text block has come with this piece. */
  text?: string;
};

export function rawStart(id: string, model: ModelId, usage: Usage): RawPiece["event"] {
  return {
    type: "message_start",
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...toApiUsage(usage), output_tokens: 0 },
    },
  };
}

export function* rawBlock(index: number, block: ContentBlock): Generator<RawPiece> {
  yield { event: { type: "content_block_start", index, content_block: opening(block) } };
  for (const delta of deltas(block)) {
    yield {
      event: { type: "content_block_delta", index, delta },
      ...(delta.type === "text_delta" ? { text: delta.text } : {}),
    };
  }
  yield { event: { type: "content_block_stop", index } };
}

export function rawEnd(stop: StopReason, usage: Usage): RawPiece["event"][] {
  return [
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: toApiUsage(usage) },
    { type: "message_stop" },
  ];
}

function opening(block: ContentBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data };
    case "other":
      return block.raw;
    default:
      return block;
  }
}

type Delta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string }
  | { type: "signature_delta"; signature: string }
  | { type: "input_json_delta"; partial_json: string };

function deltas(block: ContentBlock): Delta[] {
  switch (block.type) {
    case "text":
      return pieces(block.text).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(block.thinking).map((thinking): Delta => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "tool_use": {
      const json = block.unparsedInput ?? JSON.stringify(block.input);
      return pieces(json).map((partial_json) => ({ type: "input_json_delta", partial_json }));
    }
    default:
      return [];
  }
}

/** Cut between characters, never inside one. */
function pieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${DELTA_CHARS}}`, "gu")) ?? [];
}
