import {
  type AssistantMessage,
  isToolUse,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
  type UserMessage,
} from "../../messages/message.ts";
import { isMadeFrom } from "./fresh-id.ts";
import { resembles, type Values } from "./placeholders.ts";
import type { Captures, Script, ScriptStep } from "./script.ts";

/** Where a history stands in a script, and what expectations and captures look at. */
export type Place = {
  /** Index of the step to answer with; the number of steps when none is left. */
  next: number;
  /** The steps whose answers are in the history. */
  done: number[];
  values: Values;
  lastUserText: string;
  lastResult: ToolResultBlock | undefined;
  /** Captures of the last step found that are still to be looked for in its own results. */
  pending: Captures;
};

/**
 * Finds the step that a request asks for, from its messages alone.
 *
 * The answers in the history are read in order. Each stands for the first step, after those found before, that it can be
 * the answer of; the step to play is the one after the last found. So a resumed or forked session, a second prompt, a
 * retry and a rewind go on where their history is, and two steps with the same text are told apart by their order.
 *
 * - An answer is a step's when it holds all of the step's tool uses (same id, tool and input), or, for a step without
 *   tool uses, when its whole text is the step's text and it has no tool use. A part of a step does not count: an answer
 *   broken off on the way is given again.
 * - Answers of another model or scenario are passed over.
 * - Steps before the first found one count as done: compaction took their answers out of the history. Where it left a
 *   summary, the step with the longest text that stands in it has made it: that step and all before it count as done.
 * - `{{name}}` stands for any text here; the values are taken anew from the results in the history.
 */
export function findPlace(script: Script, messages: readonly Message[]): Place {
  const place: Place = { next: 0, done: [], values: {}, lastUserText: "", lastResult: undefined, pending: new Map() };
  for (const message of messages) {
    if (message.role === "user") passUserMessage(place, script, message);
    else passAnswer(place, script, message);
  }
  return place;
}

/** The values with what the step captures from the latest result. */
export function valuesAt(place: Place, step: ScriptStep): Values {
  return { ...place.values, ...capture(step.captures, place.lastResult) };
}

export function textOfResult(result: ToolResultBlock): string {
  return typeof result.content === "string" ? result.content : textOf(result.content);
}

function passUserMessage(place: Place, script: Script, message: UserMessage): void {
  place.lastUserText = textOf(message.content) || place.lastUserText;
  const result = message.content.findLast((block) => block.type === "tool_result");
  if (result !== undefined) {
    place.lastResult = result;
    place.values = { ...place.values, ...capture(place.pending, result) };
    place.pending = new Map();
  }
  if (message.isCompactSummary) place.next = Math.max(place.next, stepAfterSummary(script, textOf(message.content)));
}

function passAnswer(place: Place, script: Script, message: AssistantMessage): void {
  const step = script.steps.find((each) => each.index >= place.next && isAnswerOf(script, each, message));
  if (step === undefined) return;
  const found = capture(step.captures, place.lastResult);
  place.values = { ...place.values, ...found };
  place.pending = new Map([...step.captures].filter(([name]) => !Object.hasOwn(found, name)));
  place.done.push(step.index);
  place.next = step.index + 1;
}

function isAnswerOf({ names }: Script, step: ScriptStep, message: AssistantMessage): boolean {
  const toolUses = message.content.filter(isToolUse);
  if (step.toolUses.length > 0) {
    return step.toolUses.every((wanted) => toolUses.some((found) => isSameCall(wanted, found, names)));
  }
  return step.leavesTrace && toolUses.length === 0 && resembles(step.text, textOf(message.content).trim(), names);
}

function isSameCall(wanted: ToolUseBlock, found: ToolUseBlock, names: ReadonlySet<string>): boolean {
  return isMadeFrom(wanted.id, found.id) && wanted.name === found.name && resembles(wanted.input, found.input, names);
}

/** Summaries keep the last tagged part of the answer that made them, or all of it. */
function stepAfterSummary(script: Script, summary: string): number {
  let after = 0;
  let longest = 0;
  for (const step of script.steps) {
    const part = (/<(\w+)>([\s\S]*)<\/\1>\s*$/.exec(step.text)?.[2] ?? step.text).trim();
    if (part.length <= longest || !summary.includes(part)) continue;
    longest = part.length;
    after = step.index + 1;
  }
  return after;
}

function capture(captures: Captures, result: ToolResultBlock | undefined): Values {
  if (result === undefined || captures.size === 0) return {};
  const text = textOfResult(result);
  const values: Record<string, string> = {};
  for (const [name, pattern] of captures) {
    const match = pattern.exec(text);
    if (match !== null) values[name] = match[1] ?? match[0];
  }
  return values;
}
