import { textOf } from "../messages/message.ts";
import type { QueryDeps } from "../query/deps.ts";
import type { AskSmallModel } from "../tools/tool.ts";
import type { WrittenResult } from "../tools/tool-result.ts";

/** Of one input, and of one result, in the question. */
const MAX_PART_CHARS = 400;
const MAX_CALLS_TOLD = 10;
const MAX_SUMMARY_CHARS = 120;
const MAX_SUMMARY_TOKENS = 60;

const SYSTEM =
  "You label what an agent's tool calls did, for a person who looks over its shoulder. Answer with one line of at most eight words, past tense, naming the file or thing they were about. No full stop, nothing else.";

/** The loop's `summarizeToolUse`: one line by the small model. */
export const summarizeToolUse =
  (ask: AskSmallModel): NonNullable<QueryDeps["summarizeToolUse"]> =>
  async (calls, results, signal) => {
    const told = calls.slice(0, MAX_CALLS_TOLD).map(({ name, input }, index) => {
      return `${name} ${part(JSON.stringify(input))}\n→ ${part(resultText(results[index]))}`;
    });
    const answer = await ask({ system: SYSTEM, prompt: told.join("\n\n"), maxTokens: MAX_SUMMARY_TOKENS, signal });
    const [line = ""] = answer.split("\n", 1);
    return line.slice(0, MAX_SUMMARY_CHARS).toWellFormed().trim() || null;
  };

const part = (text: string) => text.slice(0, MAX_PART_CHARS).toWellFormed();

function resultText(result: WrittenResult | undefined): string {
  const content = result?.block.content ?? "";
  return typeof content === "string" ? content : textOf(content);
}
