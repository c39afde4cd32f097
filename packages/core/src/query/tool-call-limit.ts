import type { ToolCall, ToolOutcome } from "../tools/tool.ts";
import type { QueryConfig } from "./config.ts";

/** The calls that count: giving the output that was asked for is no work. */
export function countedCalls<Call extends ToolCall>(calls: readonly Call[], { structuredOutput }: QueryConfig): Call[] {
  return calls.filter((call) => call.name !== structuredOutput?.toolName);
}

/** Whether `call`, one of `calls`, comes after the last one that the turn may make; `before` were made by earlier answers. */
export function isBeyondLimit(
  call: ToolCall,
  calls: readonly ToolCall[],
  before: number,
  config: QueryConfig,
): boolean {
  return config.maxToolCalls !== undefined && before + countedCalls(calls, config).indexOf(call) >= config.maxToolCalls;
}

export const beyondLimit = (limit: number | undefined): ToolOutcome => ({
  type: "invalid",
  message: `Error: Not run: this turn's limit of ${limit} tool calls is reached`,
});

/** Told with the results of the last call that was left. */
export const lastCallNote = (limit: number) =>
  `All ${limit} tool calls that this turn may make are made; another one ends the turn. Answer with what you have.`;
