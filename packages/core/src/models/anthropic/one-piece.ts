import { isRecord } from "../../messages/api-shape.ts";
import { type Fields, textIn } from "./fields.ts";

/**
 * The events that a stream of this answer would have had, so that one parser reads both. Text, thinking and input come as one
 * delta each, for those who watch.
 */
export function* eventsOfWhole(message: Fields): Generator<object> {
  const { content, stop_reason, stop_sequence, usage, ...head } = message;
  const startUsage = isRecord(usage) ? { ...usage, output_tokens: 0 } : undefined;
  yield { type: "message_start", message: { ...head, content: [], stop_reason: null, usage: startUsage } };
  for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
    if (isRecord(block)) yield* eventsOfBlock(index, block);
  }
  yield { type: "message_delta", delta: { stop_reason, stop_sequence }, usage };
  yield { type: "message_stop" };
}

function* eventsOfBlock(index: number, block: Fields): Generator<object> {
  const { start, deltas } = parted(block);
  yield { type: "content_block_start", index, content_block: start };
  for (const delta of deltas) yield { type: "content_block_delta", index, delta };
  yield { type: "content_block_stop", index };
}

function parted(block: Fields): { start: Fields; deltas: object[] } {
  const text = textIn(block, "text");
  if (block["type"] === "text" && text !== undefined) {
    return { start: { ...block, text: "" }, deltas: [{ type: "text_delta", text }] };
  }
  const { thinking, signature } = block;
  if (block["type"] === "thinking" && typeof thinking === "string") {
    const deltas = [
      { type: "thinking_delta", thinking },
      ...(signature ? [{ type: "signature_delta", signature }] : []),
    ];
    return { start: { ...block, thinking: "", signature: "" }, deltas };
  }
  if (block["type"] === "tool_use" && isRecord(block["input"])) {
    const partial_json = JSON.stringify(block["input"]);
    const deltas = partial_json === "{}" ? [] : [{ type: "input_json_delta", partial_json }];
    return { start: { ...block, input: {} }, deltas };
  }
  return { start: block, deltas: [] };
}
