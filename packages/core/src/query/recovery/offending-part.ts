import type { ContentBlock, Message } from "../../messages/message.ts";
import type { ModelFailure } from "../../models/failure.ts";

/** The messages with the refused media replaced by a text: those the provider names, else all. Undefined without any. */
export function withoutMedia(failure: ModelFailure, messages: readonly Message[]): readonly Message[] | undefined {
  const named = placeOf(failure);
  const reason = "message" in failure ? failure.message : "";
  let count = 0;
  const changed = messages.map((message, index) => {
    if (named !== undefined && named.message !== index) return message;
    const content = message.content.map((block, at) => {
      if (named?.block !== undefined && named.block !== at) return block;
      return stubbed(block, reason, () => count++);
    });
    return content.some((block, at) => block !== message.content[at]) ? ({ ...message, content } as Message) : message;
  });
  return count > 0 ? changed : undefined;
}

function stubbed(block: ContentBlock, reason: string, count: () => void): ContentBlock {
  if (block.type === "image" || block.type === "document") {
    count();
    return { type: "text", text: `[${block.type} left out: the provider refused it (${reason})]` };
  }
  if (block.type !== "tool_result" || typeof block.content === "string") return block;
  const content = block.content.map((inner) => stubbed(inner, reason, count));
  return content.some((inner, at) => inner !== (block.content as ContentBlock[])[at]) ? { ...block, content } : block;
}

/** The messages without the one block that the provider names, where it can go by itself. */
export function withoutPart(failure: ModelFailure, messages: readonly Message[]): readonly Message[] | undefined {
  const named = placeOf(failure);
  const message = named && messages[named.message];
  const block = named?.block === undefined ? undefined : message?.content[named.block];
  if (message === undefined || block === undefined) return undefined;
  if (block.type === "tool_use" || block.type === "tool_result" || message.content.length < 2) return undefined;
  const content = message.content.filter((each) => each !== block);
  return messages.map((each) => (each === message ? ({ ...message, content } as Message) : each));
}

/** `messages.3.content.1` as the provider writes it. */
function placeOf(failure: ModelFailure): { message: number; block?: number } | undefined {
  const path = "blockPath" in failure ? failure.blockPath : undefined;
  const match = /messages[.[](\d+)\]?(?:\.content[.[](\d+))?/.exec(path ?? "");
  if (match?.[1] === undefined) return undefined;
  return { message: Number(match[1]), ...(match[2] === undefined ? {} : { block: Number(match[2]) }) };
}
