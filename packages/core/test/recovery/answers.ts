import type { ServerResponse } from "node:http";
import { sse } from "../support/anthropic.ts";

/** What a model says, in the API's form; `usage` is what the provider reports for it. */
export type Said = {
  blocks: readonly SaidBlock[];
  stop?: string;
  usage?: { input: number; output: number };
};
type SaidBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: object | string };

export type SseEvent = { type: string; [field: string]: unknown };

export const text = (value: string): Said => ({ blocks: [{ type: "text", text: value }] });
export const use = (id: string, name: string, input: object | string): SaidBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

/** The events of an answer. Input tokens are reported at its start, with one of output; the rest at its end. */
export function eventsOf(said: Said, id: string, model = "claude-sonnet-5-5"): SseEvent[] {
  const { blocks, usage = { input: 10, output: 5 } } = said;
  const stop = said.stop ?? (blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn");
  const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null };
  return [
    { type: "message_start", message: { ...message, usage: { input_tokens: usage.input, output_tokens: 1 } } },
    ...blocks.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: usage.output } },
    { type: "message_stop" },
  ];
}

function blockEvents(block: SaidBlock, index: number): SseEvent[] {
  const delta = (delta: SseEvent): SseEvent => ({ type: "content_block_delta", index, delta });
  const around = (start: object, ...deltas: SseEvent[]): SseEvent[] => [
    { type: "content_block_start", index, content_block: start },
    ...deltas,
    { type: "content_block_stop", index },
  ];
  switch (block.type) {
    case "text": {
      const half = Math.ceil(block.text.length / 2);
      const pieces = [block.text.slice(0, half), block.text.slice(half)];
      return around({ type: "text", text: "" }, ...pieces.map((text) => delta({ type: "text_delta", text })));
    }
    case "thinking":
      return around(
        { type: "thinking", thinking: "", signature: "" },
        delta({ type: "thinking_delta", thinking: block.thinking }),
        delta({ type: "signature_delta", signature: block.signature }),
      );
    case "tool_use": {
      const { id, name, input } = block;
      const json = typeof input === "string" ? input : JSON.stringify(input);
      const half = Math.ceil(json.length / 2);
      const pieces = [json.slice(0, half), json.slice(half)];
      return around(
        { type: "tool_use", id, name, input: {} },
        ...pieces.map((partial_json) => delta({ type: "input_json_delta", partial_json })),
      );
    }
  }
}

let answers = 0;

/** An id that no other answer of this process has. */
export function freshId(): string {
  answers += 1;
  return `msg_test_${answers}`;
}

export const bodyOf = (said: Said, id = freshId()): string => sse(...eventsOf(said, id));

export const STREAM = { "content-type": "text/event-stream" };

/** Answers as it should be. */
export const answers200 =
  (said: Said, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { ...STREAM, ...headers }).end(bodyOf(said));
  };
