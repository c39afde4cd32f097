import { type ContentBlock, noUsage, type StopReason, type Usage } from "../messages/message.ts";
import type { ModelFailure } from "./failure.ts";
import type { Model, ModelRequest } from "./model.ts";

/** All that came of one request: whole blocks, and what was reported. `id` is empty when no answer began. */
export type WholeAnswer = {
  id: string;
  blocks: ContentBlock[];
  usage: Usage;
  stop?: StopReason;
  failure?: ModelFailure;
};

/** One request to the end of its answer, for who does not watch it come. */
export async function wholeAnswer(model: Model, request: ModelRequest, signal: AbortSignal): Promise<WholeAnswer> {
  const answer: WholeAnswer = { id: "", blocks: [], usage: noUsage };
  for await (const event of model.stream(request, signal)) {
    if (event.type === "message_start") {
      // A provider may begin its answer anew: only the last one counts.
      answer.id = event.id;
      answer.blocks = [];
      answer.usage = event.usage ?? noUsage;
    }
    if (event.type === "block_end") answer.blocks.push(event.block);
    if (event.type === "message_end") {
      answer.usage = event.usage;
      answer.stop = event.stop;
    }
    if (event.type === "failure") {
      answer.failure = event.failure;
      answer.usage = event.usage ?? answer.usage;
    }
  }
  return answer;
}
