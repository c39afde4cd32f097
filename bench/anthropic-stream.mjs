// Content blocks as the event stream of the Anthropic Messages API.
const INPUT_PIECES = 3;
const DRIBBLE_PIECES = 10;

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Yields stream text, `{ waitMs }` before a piece that comes late, and `{ isFirstBlockEnd: true }`. */
export function* anthropicStream(blocks, id) {
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const head = { id, type: "message", role: "assistant", model: "mock", content: [] };
  yield event({ type: "message_start", message: { ...head, stop_reason: null, stop_sequence: null, usage } });
  for (const [index, block] of blocks.entries()) {
    yield* block.type === "text" ? textBlock(block, index) : toolUseBlock(block, index, id);
    yield event({ type: "content_block_stop", index });
    if (index === 0) yield { isFirstBlockEnd: true };
  }
  const stop_reason = blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  yield event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  yield event({ type: "message_stop" });
}

function* textBlock(block, index) {
  yield event({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
  for (const text of block.deltas === undefined ? [block.text] : words(block.deltas))
    yield event({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
}

/** Four characters each, a line break now and then; not repeating, because some programs stop a text that repeats itself. */
function* words(count) {
  let seed = 12345;
  const letter = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return String.fromCharCode(97 + ((seed >> 8) % 26));
  };
  for (let i = 1; i <= count; i++) yield letter() + letter() + letter() + (i % 20 === 0 ? "\n" : " ");
}

function* toolUseBlock({ name, input, dribbleMs = 0 }, index, id) {
  const content_block = { type: "tool_use", id: `toolu_${id}_${index}`, name, input: {} };
  yield event({ type: "content_block_start", index, content_block });
  const pieces = split(JSON.stringify(input), dribbleMs > 0 ? DRIBBLE_PIECES : INPUT_PIECES);
  for (const partial_json of pieces) {
    if (dribbleMs > 0) yield { waitMs: dribbleMs / pieces.length };
    yield event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
  }
}

function split(text, count) {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
