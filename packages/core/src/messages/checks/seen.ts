import type { ApiBlock } from "../api-message.ts";
import { isBlank, isBlock, isPaused, isRecord } from "../api-shape.ts";
import { isBlankText } from "../block-faults.ts";

/** A broken rule: its number in the list of the API's rules, and where. */
export type Violation = {
  rule: number;
  /** A path such as `messages[3].content[1]`. */
  at: string;
  message: string;
};

export type Report = (rule: number, at: string, message: string) => void;

/** A message as far as it could be read, with the path of each block. */
export type Seen = {
  at: string;
  role: unknown;
  message: Record<string, unknown>;
  blocks: readonly SeenBlock[];
};
export type SeenBlock = {
  at: string;
  block: ApiBlock;
  /** The blocks inside a tool result. */
  inner: readonly SeenBlock[];
};

/** Reads what was given as messages. What is no message or no block is reported (rule 3) and left aside. */
export function readMessages(messages: unknown, report: Report): Seen[] {
  if (!Array.isArray(messages)) {
    report(3, "messages", "is not a list");
    return [];
  }
  const seen: Seen[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isRecord(message)) report(3, at, "is no message");
    else
      seen.push({
        at,
        role: message["role"],
        message,
        blocks: readContent(message["content"], `${at}.content`, report),
      });
  }
  return seen;
}

function readContent(content: unknown, at: string, report: Report): SeenBlock[] {
  if (typeof content === "string") {
    if (isBlank(content)) report(3, at, "is empty");
    return [{ at, block: { type: "text", text: content }, inner: [] }];
  }
  if (!Array.isArray(content)) report(3, at, "is neither text nor a list of blocks");
  else if (content.length === 0) report(3, at, "is empty");
  return Array.isArray(content) ? readBlocks(content, at, report) : [];
}

function readBlocks(content: readonly unknown[], at: string, report: Report): SeenBlock[] {
  const seen: SeenBlock[] = [];
  for (const [index, block] of content.entries()) {
    const path = `${at}[${index}]`;
    if (!isBlock(block)) {
      report(3, path, "is no block");
      continue;
    }
    if (isBlankText(block)) report(3, path, "is an empty text");
    const inside = block.type === "tool_result" ? block["content"] : undefined;
    seen.push({ at: path, block, inner: Array.isArray(inside) ? readBlocks(inside, `${path}.content`, report) : [] });
  }
  return seen;
}

/** Every block, those inside tool results too. */
export function* everyBlock(messages: readonly Seen[]): Generator<SeenBlock> {
  for (const { blocks } of messages) {
    for (const block of blocks) {
      yield block;
      yield* block.inner;
    }
  }
}

export const ofType = (seen: Seen, type: string): SeenBlock[] => seen.blocks.filter(({ block }) => block.type === type);

/** Whether the last message is an answer that the provider paused. */
export const isPausedEnd = (messages: readonly Seen[], seen: Seen): boolean =>
  seen === messages.at(-1) &&
  seen.role === "assistant" &&
  isPaused(
    seen.message,
    seen.blocks.map(({ block }) => block),
  );
