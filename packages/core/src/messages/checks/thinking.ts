import type { ApiMessage } from "../api-message.ts";
import { isBlock, isThinking } from "../api-shape.ts";
import { thinkingFault } from "../block-faults.ts";
import { isSameModel, isThinkingOn, type ViolationOptions } from "../rule-options.ts";
import { isPausedEnd, ofType, type Report, type Seen, type SeenBlock } from "./seen.ts";

/** Rule 7: thinking is whole, stands where it may, and goes back only to the model that made it. */
export function checkThinking(messages: readonly Seen[], options: ViolationOptions, report: Report): void {
  for (const seen of messages) {
    for (const one of seen.blocks) if (isThinking(one.block)) checkBlock(seen, one, options, report);
    const last = seen.blocks.at(-1);
    if (last !== undefined && isThinking(last.block) && !isPausedEnd(messages, seen)) {
      report(7, last.at, "thinking ends a message");
    }
  }
  if (options.received !== undefined) checkReceived(messages, options.received, options, report);
}

function checkBlock(seen: Seen, { at, block }: SeenBlock, options: ViolationOptions, report: Report): void {
  const fault = thinkingFault(block);
  if (fault !== undefined) report(7, at, fault);
  if (seen.role !== "assistant") report(7, at, "thinking in a user message");
  if (options.as === "request" && isOfOtherModel(seen.message, options.model))
    report(7, at, "thinking of another model");
}

/** Whether a message says that another model than `model` made it. */
export function isOfOtherModel(message: Record<string, unknown>, model: string | undefined): boolean {
  const maker = message["model"];
  return model !== undefined && typeof maker === "string" && !isSameModel(maker, model);
}

function checkReceived(
  messages: readonly Seen[],
  received: readonly ApiMessage[],
  options: ViolationOptions,
  report: Report,
): void {
  const origin = received.map(({ content }) => (Array.isArray(content) ? content.filter(isBlock) : []));
  const known = new Set(origin.flat().filter(isThinking).map(bodyOf));
  const thoughts = messages.flatMap(({ blocks }) => blocks.filter(({ block }) => isThinking(block)));
  for (const { at, block } of thoughts) {
    if (!known.has(bodyOf(block))) report(7, at, "thinking that differs from what was received");
  }
  const last = messages.at(-1);
  if (!isThinkingOn(options.thinking) || last === undefined || ofType(last, "tool_result").length === 0) return;
  const sent = openCycle(messages.map(({ blocks }) => blocks.map(({ block }) => block)));
  if (openCycle(origin) !== sent) report(7, last.at, "thinking of the open tool cycle is missing or out of order");
}

/** The thinking from the last answer with a tool use on, as one comparable text. */
function openCycle(messages: readonly (readonly ApiMessage["content"][number][])[]): string {
  const blocks = messages.map((content) => content.filter(isBlock));
  const start = blocks.findLastIndex((content) => content.some(({ type }) => type === "tool_use"));
  return blocks.slice(start).flat().filter(isThinking).map(bodyOf).join();
}

const bodyOf = ({ type, thinking, signature, data }: Record<string, unknown>): string =>
  [type, thinking, signature, data].map((part) => (typeof part === "string" ? JSON.stringify(part) : "")).join();
