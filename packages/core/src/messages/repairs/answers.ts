import type { ApiBlock } from "../api-message.ts";
import { isServerToolResult, isServerToolUse, isThinking } from "../api-shape.ts";
import { thinkingFault } from "../block-faults.ts";
import { isOfOtherModel } from "../checks/thinking.ts";
import { jsonFault } from "../json-value.ts";
import type { RuleOptions } from "../rule-options.ts";
import { type Draft, isPausedDraft, type RepairLog, setBlocks, textBlock } from "./draft.ts";

/** Rules 7 and 8: in an answer, what cannot go back as it came is taken out whole. */

const INTERRUPTED = "[The answer was interrupted here.]";

export function repairAnswers(drafts: readonly Draft[], options: RuleOptions, log: RepairLog): void {
  drafts.forEach((draft, index) => {
    if (draft.role !== "assistant") return;
    const isPausedEnd = index === drafts.length - 1 && isPausedDraft(draft);
    const whole = draft.blocks.filter((block) => isSendable(block, draft, options, log));
    const kept = withoutLoneServerTools(whole, isPausedEnd, log);
    if (!isPausedEnd) dropThinkingAtEnd(kept, log);
    if (kept.length === 0) kept.push(textBlock(INTERRUPTED));
    setBlocks(draft, kept);
  });
}

function isSendable(block: ApiBlock, draft: Draft, options: RuleOptions, log: RepairLog): boolean {
  if (!isThinking(block)) return true;
  const fault = thinkingFault(block) ?? jsonFault(block);
  if (fault !== undefined) {
    log.on(block, 7, `dropped: ${fault}`);
    return false;
  }
  const isForeign = options.as === "request" && isOfOtherModel(draft.source ?? {}, options.model);
  if (isForeign) log.on(block, 7, "left out: thinking of another model");
  return !isForeign;
}

function withoutLoneServerTools(blocks: readonly ApiBlock[], mayBeOpen: boolean, log: RepairLog): ApiBlock[] {
  const uses = new Set(blocks.filter(isServerToolUse).map(({ id }) => id));
  const results = new Set(blocks.filter(isServerToolResult).map(({ tool_use_id }) => tool_use_id));
  return blocks.filter((block) => {
    const isLoneUse = isServerToolUse(block) && !mayBeOpen && !results.has(block["id"]);
    const isLoneResult = isServerToolResult(block) && !uses.has(block["tool_use_id"]);
    if (isLoneUse) log.on(block, 8, "dropped: a server tool use without its result");
    if (isLoneResult) log.on(block, 8, "dropped: a server tool result without its use");
    return !isLoneUse && !isLoneResult;
  });
}

function dropThinkingAtEnd(blocks: ApiBlock[], log: RepairLog): void {
  for (let last = blocks.at(-1); last !== undefined && isThinking(last); last = blocks.at(-1)) {
    log.on(last, 7, "dropped: thinking ended the message");
    blocks.pop();
  }
}
