import type { ToolCall, ToolOutcome } from "../tools/tool.ts";
import type { QueryConfig, WantedOutput } from "./config.ts";
import type { QueryState } from "./state.ts";

/** Times in one turn that the model may try again to give output that fits the schema. */
export const MAX_STRUCTURED_OUTPUT_RETRIES = 5;

type OutputConfig = Pick<QueryConfig, "structuredOutput">;

/** Where a turn stands with the output it is to give. */
export type OutputStep =
  /** None is wanted, or it has been given before. */
  | { type: "none" }
  /** `isLastWord`: nothing but the output was called, so that there is nothing to come back to the model for. */
  | { type: "given"; state: QueryState; isLastWord: boolean }
  /** `note` is for the model, where no result of a call tells it. */
  | { type: "retry"; state: QueryState; attempt: number; note: string }
  | { type: "give_up" };

/** After the calls of one answer: the last output that fits counts. */
export function outputOfCalls(
  calls: readonly ToolCall[],
  outcomes: readonly ToolOutcome[],
  state: QueryState,
  { structuredOutput }: OutputConfig,
): OutputStep {
  if (structuredOutput === undefined) return { type: "none" };
  const own = outcomes.filter((_, index) => calls[index]?.name === structuredOutput.toolName);
  if (own.length === 0) return { type: "none" };
  const given = own.findLast((outcome) => outcome.type === "done");
  if (given === undefined) return missed(state, structuredOutput);
  const output = { value: given.result.structured };
  return { type: "given", state: { ...state, output }, isLastWord: own.length === calls.length };
}

/** After an answer without calls: a turn does not end without its output. */
export function outputAtEnd(state: QueryState, { structuredOutput }: OutputConfig): OutputStep {
  if (structuredOutput === undefined || state.output !== undefined) return { type: "none" };
  return missed(state, structuredOutput);
}

function missed(state: QueryState, { toolName, maxRetries }: WantedOutput): OutputStep {
  const attempt = state.outputMisses + 1;
  if (attempt > maxRetries) return { type: "give_up" };
  return { type: "retry", attempt, state: { ...state, outputMisses: attempt }, note: missingNote(toolName) };
}

const missingNote = (toolName: string) =>
  `You have ended without calling ${toolName}. Call it now, with your final answer in the form that its input asks for: text beside it does not count as the answer.`;
