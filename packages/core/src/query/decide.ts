import type { ContentBlock, StopReason } from "../messages/message.ts";
import { isToolUse } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { CutBlock } from "../models/model.ts";
import { MAX_MALFORMED_ANSWERS, MAX_PAUSES } from "./config.ts";
import { terminalOf } from "./recovery/terminal.ts";
import type { QueryState } from "./state.ts";
import type { Terminal } from "./transition.ts";

/** What a decision looks at of an answer. */
export type AnswerFacts = {
  blocks: readonly ContentBlock[];
  stop: StopReason | null;
  failure?: ModelFailure;
  cutBlock?: CutBlock;
};

export type Decision =
  /** Run the calls, write their results back, next round. `note` goes to the model after the results. */
  | { type: "run_tools"; state: QueryState; note?: string }
  /** The provider paused its answer: it is sent back as it is. */
  | { type: "resume_paused"; state: QueryState }
  /** The model has ended its work: stop hooks have the word, then the turn ends. */
  | { type: "finish" }
  /** Something is wrong with the answer: recovery has the word, and `terminal` ends the turn when it has none. */
  | { type: "recover"; failure: ModelFailure; terminal: Terminal; keepsAnswer: boolean; state: QueryState }
  | { type: "stop"; terminal: Terminal };

/** What follows from an answer. Pure. */
export function decide(answer: AnswerFacts, state: QueryState): Decision {
  if (answer.failure?.type === "aborted") return { type: "stop", terminal: { reason: "aborted", in: "stream" } };
  if (answer.failure) return recover(answer.failure, state, false);
  const cut = cutToolUse(answer);
  if (answer.blocks.some(isToolUse)) return decideToolUses(answer, cut, state);
  if (cut) return recover(cutToolFailure(answer.stop, cut), state, true);
  return decideStop(answer, state);
}

function decideToolUses(answer: AnswerFacts, cut: CutBlock | undefined, state: QueryState): Decision {
  const malformedAnswers = cut || answer.blocks.some(isMalformed) ? state.malformedAnswers + 1 : 0;
  if (malformedAnswers > MAX_MALFORMED_ANSWERS) return { type: "stop", terminal: { reason: "malformed_tool_use" } };
  return { type: "run_tools", state: { ...state, malformedAnswers }, ...(cut ? { note: cutNote(cut.toolName) } : {}) };
}

function decideStop(answer: AnswerFacts, state: QueryState): Decision {
  if (answer.stop === "refusal") {
    return recover({ type: "refused", message: "the model refused" }, state, true);
  }
  if (answer.stop === "pause_turn" && hasContent(answer.blocks)) return decidePause(state);
  if (answer.stop === "max_tokens") {
    const message = "the answer was cut at the output limit";
    return recover({ type: "output_truncated", by: "output_limit", message }, state, true);
  }
  if (answer.stop === "model_context_window_exceeded") {
    const message = "the answer was cut where the context window ends";
    return recover({ type: "output_truncated", by: "context_window", message }, state, true);
  }
  if (!hasContent(answer.blocks)) {
    const message = "the model's answer held no text and no tool use";
    return recover({ type: "empty_answer", message }, state, false);
  }
  return { type: "finish" };
}

function decidePause(state: QueryState): Decision {
  if (state.pauses < MAX_PAUSES) return { type: "resume_paused", state: { ...state, pauses: state.pauses + 1 } };
  const message = `the provider paused its answer ${MAX_PAUSES} times in one turn`;
  return {
    type: "stop",
    terminal: { reason: "model_error", failure: { type: "output_truncated", by: "provider", message } },
  };
}

function recover(failure: ModelFailure, state: QueryState, keepsAnswer: boolean): Decision & { type: "recover" } {
  return { type: "recover", failure, terminal: terminalOf(failure), keepsAnswer, state };
}

function cutToolFailure(stop: StopReason | null, cut: CutBlock): ModelFailure {
  const by = stop === "max_tokens" ? "output_limit" : "provider";
  const cutTool = cut.toolName ?? "a tool";
  return { type: "output_truncated", by, cutTool, message: `the input of a call of ${cutTool} was cut` };
}

const isMalformed = (block: ContentBlock) => block.type === "tool_use" && block.unparsedInput !== undefined;

const cutToolUse = (answer: AnswerFacts) => (answer.cutBlock?.type === "tool_use" ? answer.cutBlock : undefined);

export const cutNote = (tool = "a tool") =>
  `Your call of ${tool} was cut before its input was whole, so it did not run and had no effect. Send it again in smaller pieces.`;

/** Whether there is something to keep: thinking alone is not an answer. */
function hasContent(blocks: readonly ContentBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === "text") return block.text.trim() !== "";
    return block.type !== "thinking" && block.type !== "redacted_thinking";
  });
}
