import { isRecord, isServerToolResult, isServerToolUse, shown } from "../api-shape.ts";
import { isToolName, isToolUseId, resultFault } from "../block-faults.ts";
import type { RuleOptions } from "../rule-options.ts";
import { isPausedEnd, ofType, type Report, type Seen, type SeenBlock } from "./seen.ts";

/** Rule 4: each call has exactly one result in the next user message, results first, and no result is without its call. */
export function checkToolPairs(messages: readonly Seen[], options: RuleOptions, report: Report): void {
  messages.forEach((seen, index) => {
    if (seen.role === "assistant") {
      const mayBeOpen = options.as !== "request" && index === messages.length - 1;
      if (!mayBeOpen) checkAnswered(seen, messages[index + 1], report);
      for (const { at } of ofType(seen, "tool_result")) report(4, at, "a tool result in an assistant message");
    } else {
      checkResults(seen, messages[index - 1], report);
      for (const { at } of ofType(seen, "tool_use")) report(4, at, "a tool use in a user message");
    }
  });
}

function checkAnswered(answer: Seen, next: Seen | undefined, report: Report): void {
  const results = next === undefined || next.role === "assistant" ? [] : ofType(next, "tool_result");
  const answered = new Set(results.map(({ block }) => block["tool_use_id"]));
  for (const { at, block } of ofType(answer, "tool_use")) {
    if (!answered.has(block["id"])) report(4, at, `tool use ${shown(block["id"])} has no result in the next message`);
  }
}

function checkResults(seen: Seen, before: Seen | undefined, report: Report): void {
  const open = new Set<unknown>();
  if (before?.role === "assistant") for (const { block } of ofType(before, "tool_use")) open.add(block["id"]);
  let isPastResults = false;
  for (const { at, block } of seen.blocks) {
    if (block.type !== "tool_result") {
      isPastResults = true;
      continue;
    }
    if (isPastResults) report(4, at, "a tool result after other content");
    if (!open.delete(block["tool_use_id"])) report(4, at, "a tool result without its tool use, or a second one");
  }
}

/** Rule 5: ids, names and inputs of tool uses. */
export function checkToolUses(messages: readonly Seen[], report: Report): void {
  const ids = new Set<unknown>();
  for (const seen of messages) {
    for (const { at, block } of ofType(seen, "tool_use")) {
      if (!isToolUseId(block["id"])) report(5, `${at}.id`, "is not made of letters, digits, _ and -");
      else if (ids.has(block["id"])) report(5, `${at}.id`, `${block["id"]} was used before`);
      ids.add(block["id"]);
      if (!isToolName(block["name"])) report(5, `${at}.name`, "is not 1 to 128 letters, digits, _ and -");
      if (!isRecord(block["input"])) report(5, `${at}.input`, "is no object");
    }
  }
}

/** Rule 6: what a tool result may hold. */
export function checkResultContent(messages: readonly Seen[], report: Report): void {
  for (const seen of messages) {
    for (const { at, block } of ofType(seen, "tool_result")) {
      const fault = resultFault(block);
      if (fault !== undefined) report(6, at, fault);
    }
  }
}

/** Rule 8: calls that the provider ran itself have their results in the same assistant message. */
export function checkServerTools(messages: readonly Seen[], report: Report): void {
  for (const seen of messages) {
    const uses = seen.role === "assistant" ? idsOf(seen, isServerToolUse, "id") : new Set();
    const results = idsOf(seen, isServerToolResult, "tool_use_id");
    const mayBeOpen = isPausedEnd(messages, seen);
    for (const { at, block } of seen.blocks) {
      if (isServerToolUse(block) && !mayBeOpen && !(uses.has(block["id"]) && results.has(block["id"]))) {
        report(8, at, "a server tool use without its result in the same message");
      }
      if (isServerToolResult(block) && !uses.has(block["tool_use_id"])) {
        report(8, at, "a server tool result without its use in the same message");
      }
    }
  }
}

function idsOf(seen: Seen, isOne: (block: SeenBlock["block"]) => boolean, field: string): Set<unknown> {
  return new Set(seen.blocks.filter(({ block }) => isOne(block)).map(({ block }) => block[field]));
}
