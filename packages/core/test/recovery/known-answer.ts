import type { ApiBlock } from "../../src/messages/api-message.ts";
import type { Recording } from "../support/recorded-streams.ts";
import type { SseEvent } from "./answers.ts";

/** An event of a recording, and after which byte all of it is there: its line of data need not have ended. */
export type Placed = { event: SseEvent; isThereAt: number };

/** The events of a stream as the server wrote it: one line of data each. */
export function placedEvents({ body }: Recording): Placed[] {
  const placed: Placed[] = [];
  let at = 0;
  for (const line of body.split("\n")) {
    const end = at + Buffer.byteLength(line);
    if (line.startsWith("data:")) placed.push({ event: JSON.parse(line.slice(5)) as SseEvent, isThereAt: end });
    at = end + 1;
  }
  return placed;
}

/** What is known of an answer, of which nothing more may be stored or run. */
export type Known = { blocks: ApiBlock[]; openText: ApiBlock[]; isWhole: boolean };

/** What is known after none of `placed`, after the first, and so on: written anew and simply, to hold the decoder against it. */
export function knownAfterEach(placed: readonly Placed[], { expected }: Recording): Known[] {
  const folds = [startedBy(undefined, expected)];
  for (const { event } of placed) {
    const before = folds.at(-1) ?? startedBy(undefined, expected);
    folds.push(event.type === "message_start" ? startedBy(event, expected) : after(before, event));
  }
  return folds.map(knownIn);
}

const knownIn = ({ content, ended, open, isWhole }: Fold): Known => ({
  blocks: ended.flatMap((index) => content[index] ?? []),
  openText: [...open.values()].filter(({ type, text }) => type === "text" && String(text).trim() !== ""),
  isWhole,
});

/** `content`: what the answer becomes; `ended`: which of it is whole. A call without input may be cut before its input. */
type Fold = {
  content: readonly ApiBlock[];
  ended: number[];
  bareCall: number[];
  open: Map<number, ApiBlock>;
  isWhole: boolean;
};

function startedBy(event: SseEvent | undefined, expected: Recording["expected"]): Fold {
  const message = event?.["message"] as { id: string } | undefined;
  const content = expected.find(({ id }) => id === message?.id)?.content ?? [];
  return { content, ended: [], bareCall: [], open: new Map(), isWhole: false };
}

function after(fold: Fold, event: SseEvent): Fold {
  const { index = 0, delta = {} } = event as { index?: number; delta?: Record<string, unknown> };
  const open = new Map(fold.open);
  const told = { ...fold, ended: [...fold.ended, ...fold.bareCall], bareCall: [], open };
  const block = open.get(index);
  switch (event.type) {
    case "content_block_start":
      open.set(index, event["content_block"] as ApiBlock);
      return told;
    case "content_block_delta":
      if (block !== undefined) open.set(index, joined(block, delta));
      return { ...fold, open };
    case "content_block_stop": {
      open.delete(index);
      const { type, input } = fold.content[index] ?? { type: "" };
      const isBare = type === "tool_use" && JSON.stringify(input) === "{}";
      return isBare ? { ...fold, open, bareCall: [index] } : { ...fold, open, ended: [...fold.ended, index] };
    }
    case "message_delta":
      return delta["stop_reason"] === "max_tokens" ? fold : told;
    case "message_stop":
      return { ...fold, isWhole: true };
    default:
      return fold;
  }
}

function joined(block: ApiBlock, { type, text, citation }: Record<string, unknown>): ApiBlock {
  if (type === "text_delta") return { ...block, text: `${block["text"]}${text}` };
  const before = Array.isArray(block["citations"]) ? block["citations"] : [];
  return type === "citations_delta" ? { ...block, citations: [...before, citation] } : block;
}
