import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ApiBlock } from "../../src/messages/api-message.ts";
import type { Usage } from "../../src/messages/message.ts";
import { fromApiUsage, toApiBlock } from "../../src/messages/normalize.ts";
import type { CutBlock, ModelEvent } from "../../src/models/model.ts";

/** What matters of an answer, in the API's form. */
export type Outcome = {
  id: string;
  model: string;
  content: readonly ApiBlock[];
  stop: string | null;
  usage: Usage;
  cutBlock: CutBlock | null;
};

export type Recording = { name: string; body: string; expected: readonly Outcome[] };

type ExpectedFile = {
  messages: {
    message: { id: string; model: string; content: ApiBlock[]; stop_reason: string | null; usage: unknown };
    blocks_left_open: number[];
    unparsed_partial_json: Record<string, string>;
  }[];
};

const folder = new URL("../cases/streams/", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, folder)), "utf8");

/** Every recorded stream as a response body, with the messages that must come out. */
export const recordings: readonly Recording[] = ["anthropic/", "anthropic-sse/"].flatMap((kind) =>
  readdirSync(fileURLToPath(new URL(kind, folder)))
    .filter((file) => !file.endsWith(".expected.json"))
    .map((file) => ({
      name: file,
      body: file.endsWith(".sse") ? read(kind + file) : eventStream(read(kind + file)),
      expected: expectedOf(JSON.parse(read(kind + file.replace(/(\.events\.jsonl|\.sse)$/, ".expected.json")))),
    })),
);

/** The last state of each message: a repeated start begins it anew. */
export function outcomesOf(events: readonly ModelEvent[]): Outcome[] {
  const outcomes: Outcome[] = [];
  let begun: { id: string; model: string; content: ApiBlock[] } | undefined;
  for (const event of events) {
    if (event.type === "message_start") begun = { id: event.id, model: event.model, content: [] };
    if (event.type === "block_end") begun?.content.push(toApiBlock(event.block));
    if (event.type === "message_end" && begun !== undefined) {
      outcomes.push({ ...begun, stop: event.stop, usage: event.usage, cutBlock: event.cutBlock ?? null });
    }
  }
  return outcomes;
}

function eventStream(lines: string): string {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `event: ${/"type":"([a-z_]+)"/.exec(line)?.[1]}\ndata: ${line}\n\n`)
    .join("");
}

function expectedOf({ messages }: ExpectedFile): Outcome[] {
  return messages.map(({ message, blocks_left_open, unparsed_partial_json }) => {
    const open = blocks_left_open.at(-1);
    return {
      id: message.id,
      model: message.model,
      content: message.content.filter((_, index) => !blocks_left_open.includes(index)),
      stop: message.stop_reason,
      usage: fromApiUsage(message.usage),
      cutBlock: open === undefined ? null : cutBlock(message.content[open], unparsed_partial_json[open]),
    };
  });
}

function cutBlock(block: ApiBlock | undefined, partialJson = ""): CutBlock {
  return { type: block?.type ?? "", toolName: String(block?.["name"]), partialJson };
}
