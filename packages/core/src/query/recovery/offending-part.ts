import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from "../../messages/message.ts";
import type { ModelFailure } from "../../models/failure.ts";

/** The messages with the refused media replaced by a text: those the provider names, else all. Undefined without any. */
export function withoutMedia(failure: ModelFailure, messages: readonly Message[]): readonly Message[] | undefined {
  const named = placeOf(failure);
  // A provider may count otherwise than we do: where it points at no media, any may be meant.
  return (named && mediaLeftOut(failure, messages, named)) ?? mediaLeftOut(failure, messages, undefined);
}

function mediaLeftOut(
  failure: ModelFailure,
  messages: readonly Message[],
  named: Place | undefined,
): readonly Message[] | undefined {
  const reason = reasonOf(failure);
  let count = 0;
  const changed = messages.map((message, index) => {
    if (named !== undefined && named.message !== index) return message;
    const content = message.content.map((block, at) => {
      if (named?.block !== undefined && named.block !== at) return block;
      return stubbed(block, reason, () => count++);
    });
    return content.some((block, at) => block !== message.content[at]) ? withContent(message, content) : message;
  });
  return count > 0 ? changed : undefined;
}

function stubbed(block: ContentBlock, reason: string, count: () => void): ContentBlock {
  if (block.type === "image" || block.type === "document") {
    count();
    return stub(block.type, reason);
  }
  if (block.type !== "tool_result" || typeof block.content === "string") return block;
  const content = block.content.map((inner) => stubbed(inner, reason, count));
  return content.some((inner, at) => inner !== (block.content as ContentBlock[])[at]) ? { ...block, content } : block;
}

/**
 * The messages without the one block that the provider names; a text says so where nothing else would be left. Undefined when
 * it names none, or the end of the request itself: what was asked last is not left out unsaid.
 */
export function withoutPart(failure: ModelFailure, messages: readonly Message[]): readonly Message[] | undefined {
  const named = placeOf(failure);
  const message = named && messages[named.message];
  const block = named?.block === undefined ? undefined : message?.content[named.block];
  if (named === undefined || message === undefined || block === undefined) return undefined;
  const reason = reasonOf(failure);
  if (block.type === "tool_use") return withoutCall(block, reason, messages);
  if (block.type === "tool_result") return replaced(messages, message, block, resultStub(block, named.inner, reason));
  const isLastWord = message === messages.at(-1) && block === message.content.at(-1);
  if (isLastWord && block.type === "text") return undefined;
  return replaced(messages, message, block, message.content.length > 1 ? undefined : stub(block.type, reason));
}

/** A call goes with its result: neither stands without the other. */
function withoutCall({ id, name }: ToolUseBlock, reason: string, messages: readonly Message[]): readonly Message[] {
  const note = stub(`a call of ${name}, with its result,`, reason);
  return messages.map((message) => {
    const content = message.content.flatMap((block) => {
      if (block.type === "tool_use" && block.id === id) return [note];
      return block.type === "tool_result" && block.tool_use_id === id ? [] : [block];
    });
    const isSame =
      content.every((block, at) => block === message.content[at]) && content.length === message.content.length;
    return isSame ? message : withContent(message, content.length === 0 ? [note] : content);
  });
}

function resultStub(block: ToolResultBlock, inner: number | undefined, reason: string): ContentBlock {
  const isNamed = (at: number) => inner === undefined || at === inner;
  const parts: readonly ContentBlock[] = typeof block.content === "string" ? [stub("text", reason)] : block.content;
  return { ...block, content: parts.map((part, at) => (isNamed(at) ? stub(part.type, reason) : part)) };
}

const stub = (what: string, reason: string): ContentBlock => ({
  type: "text",
  text: `[${what} left out: the provider refused it (${reason})]`,
});

function replaced(
  messages: readonly Message[],
  message: Message,
  block: ContentBlock,
  by: ContentBlock | undefined,
): readonly Message[] {
  const content = message.content.flatMap((each) => (each !== block ? [each] : by === undefined ? [] : [by]));
  return messages.map((each) => (each === message ? withContent(message, content) : each));
}

// The kinds of blocks that stand in a message stay those of its role.
const withContent = (message: Message, content: ContentBlock[]) => ({ ...message, content }) as Message;

const reasonOf = (failure: ModelFailure) => ("message" in failure ? failure.message : "");

type Place = { message: number; block?: number; inner?: number };

/** `messages.3.content.1` as the provider writes it, or deeper: `messages.3.content.1.content.0`. */
function placeOf(failure: ModelFailure): Place | undefined {
  const path = "blockPath" in failure ? failure.blockPath : undefined;
  const match = /messages[.[](\d+)\]?(?:\.content[.[](\d+)\]?(?:\.content[.[](\d+))?)?/.exec(path ?? "");
  if (match?.[1] === undefined) return undefined;
  return {
    message: Number(match[1]),
    ...(match[2] === undefined ? {} : { block: Number(match[2]) }),
    ...(match[3] === undefined ? {} : { inner: Number(match[3]) }),
  };
}
