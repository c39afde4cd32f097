import type { ContentBlock } from "../../messages/message.ts";
import type { ModelRequest } from "../model.ts";
import { failureOf } from "./fault.ts";
import { withFreshIds } from "./fresh-id.ts";
import { fillPlaceholders, type Values } from "./placeholders.ts";
import type { Answer } from "./play-answer.ts";
import type { ScriptStep } from "./script.ts";

/** The step's answer with its values put in, or what its fault leaves of it after `earlierPlays` plays. */
export function answerOf(step: ScriptStep, values: Values, request: ModelRequest, earlierPlays: number): Answer {
  return withFault(step, earlierPlays, {
    blocks: withFreshIds(
      step.answer.map((block) => filled(block, values)),
      request,
    ),
    ...(step.stop === undefined ? {} : { stop: step.stop }),
    ...(step.usage === undefined ? {} : { usage: step.usage }),
    ...(step.delayMs === undefined ? {} : { delayMs: step.delayMs }),
  });
}

function filled(block: ContentBlock, values: Values): ContentBlock {
  return fillPlaceholders(block, values) as ContentBlock; // the same shape: only strings inside have changed
}

function withFault(step: ScriptStep, earlierPlays: number, answer: Answer): Answer {
  const { fault } = step;
  const isOver = step.leavesTrace && earlierPlays >= (fault?.times ?? 1);
  if (fault === undefined || isOver) return answer;
  const blocks = answer.blocks.slice(0, fault.afterBlocks ?? 0);
  if (fault.type === "stall") return { ...answer, blocks, stalls: true };
  const beforeContent = fault.type === "status" ? "headers" : "first_content";
  return { ...answer, blocks, failure: failureOf(fault.type, fault, blocks.length > 0 ? "content" : beforeContent) };
}
