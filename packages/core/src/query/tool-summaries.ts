import { childController } from "../lib/abort.ts";
import type { ToolUseBlock, ToolUseId } from "../messages/message.ts";
import type { WrittenResult } from "../tools/tool-result.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryEvent } from "./event.ts";

/** So many are made beside each other; the calls of an answer that comes while more are open get none. */
const MAX_OPEN_SUMMARIES = 4;

/** What the calls of one answer did, in a line for eyes: made in the background, told on a later iteration, never waited for. */
export type ToolSummaries = {
  begin(calls: readonly ToolUseBlock[], results: readonly WrittenResult[]): void;
  /** Those that have come since. */
  take(): QueryEvent[];
  /** Ends those that are still being made; resolves once they have ended. */
  stop(): Promise<void>;
};

export function toolSummaries({ summarizeToolUse }: QueryDeps, signal: AbortSignal): ToolSummaries {
  const made: QueryEvent[] = [];
  if (summarizeToolUse === undefined) return { begin() {}, take: () => [], async stop() {} };
  const controller = childController(signal);
  const open = new Set<Promise<void>>();

  function begin(calls: readonly ToolUseBlock[], results: readonly WrittenResult[]): void {
    if (calls.length === 0 || open.size >= MAX_OPEN_SUMMARIES) return;
    const making = summary(calls, results).finally(() => open.delete(making));
    open.add(making);
  }

  async function summary(calls: readonly ToolUseBlock[], results: readonly WrittenResult[]): Promise<void> {
    const text = await summarizeToolUse?.(calls, results, controller.signal).catch(() => null); // eyes can do without it
    const toolUseIds: ToolUseId[] = calls.map(({ id }) => id);
    if (text && !controller.signal.aborted) made.push({ type: "tool_use_summary", summary: text, toolUseIds });
  }

  return {
    begin,
    take: () => made.splice(0),
    async stop() {
      controller.abort();
      controller.release();
      await Promise.all(open);
    },
  };
}
