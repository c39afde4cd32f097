import type http from "node:http";
import type { Message, ModelId, Uuid } from "../../src/messages/message.ts";
import { anthropicModel } from "../../src/models/anthropic/anthropic-model.ts";
import type { AnthropicOptions } from "../../src/models/anthropic/options.ts";
import { modelInfo } from "../../src/models/catalog.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/models/model.ts";

export const uuid = (text: string): Uuid => text as Uuid;
export const modelId = (text: string): ModelId => text as ModelId;

export const user = (text: string): Message => ({ role: "user", uuid: uuid(text), content: [{ type: "text", text }] });

export const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  tools: [],
  system: [],
  messages: [user(text)],
  maxTokens: 1_000,
  ...more,
});

export function modelAt(baseUrl: string, more: Partial<AnthropicOptions> = {}): Model {
  const id = more.id ?? modelId("claude-sonnet-5-5");
  return anthropicModel({ id, info: modelInfo(id), apiKey: "test-key-0123456789", baseUrl, ...more });
}

export async function eventsOf(model: Model, request: ModelRequest, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal ?? new AbortController().signal)) events.push(event);
  return events;
}

export const sse = (...events: readonly { type: string; [field: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const start = {
  type: "message_start",
  message: { id: "msg_1", model: "claude-sonnet-5-5", content: [], usage: { input_tokens: 10, output_tokens: 1 } },
};

/** The events of an answer up to the middle of its only text block. */
export const halfAnswer = (text: string) => [
  start,
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
];

export const wholeAnswer = (text: string) => [
  ...halfAnswer(text),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

/** What `wholeAnswer` must become. */
export const wholeEvents = (text: string): ModelEvent[] => [
  {
    type: "message_start",
    id: "msg_1",
    model: modelId("claude-sonnet-5-5"),
    usage: { input: 10, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  },
  { type: "block_end", index: 0, block: { type: "text", text } },
  {
    type: "message_end",
    stop: "end_turn",
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  },
];

export function answerWith(response: http.ServerResponse, body: string | Buffer, headers = {}): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers }).end(body);
}
