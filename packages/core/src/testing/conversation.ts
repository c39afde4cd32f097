import type { AssistantMessage, ContentBlock, Message, ToolUseId, UserMessage, Uuid } from "../messages/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../models/model.ts";

/** Messages in short form, and one question to a model: for tests that talk to a model without the engine. */

export function user(...content: readonly (string | ContentBlock)[]): UserMessage {
  return {
    role: "user",
    uuid: nextUuid(),
    content: content.map((each) => (typeof each === "string" ? { type: "text", text: each } : each)),
  };
}

/** The results of one answer, by tool use id; an `Error` is an error result. */
export function results(
  byId: readonly (readonly [id: string, content: string | Error])[],
  ...text: string[]
): UserMessage {
  const blocks = byId.map(([id, content]): ContentBlock => {
    const tool_use_id = id as ToolUseId;
    if (typeof content === "string") return { type: "tool_result", tool_use_id, content };
    return { type: "tool_result", tool_use_id, content: content.message, is_error: true };
  });
  return user(...blocks, ...text);
}

/** Asks the model once and gives all its events. */
export async function ask(
  model: Pick<Model, "stream">,
  messages: readonly Message[],
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const whole: ModelRequest = { tools: [], system: [], messages, maxTokens: 1_000, ...request };
  const events: ModelEvent[] = [];
  for await (const event of model.stream(whole, signal)) events.push(event);
  return events;
}

/** The message that the events are, as the engine would keep it. Throws what failed when they end in a failure. */
export function reply(events: readonly ModelEvent[]): AssistantMessage {
  const start = events.find((event) => event.type === "message_start");
  const end = events.at(-1);
  if (end?.type === "failure") throw new Error(JSON.stringify(end.failure));
  if (start === undefined || end?.type !== "message_end") throw new Error("the answer has no start or no end");
  return {
    role: "assistant",
    uuid: nextUuid(),
    id: start.id,
    model: start.model,
    content: events.flatMap((event) => (event.type === "block_end" ? event.block : [])),
    stopReason: end.stop,
    usage: end.usage,
  };
}

let uuids = 0;

function nextUuid(): Uuid {
  uuids += 1;
  return `00000000-0000-4000-8000-${String(uuids).padStart(12, "0")}` as Uuid;
}
