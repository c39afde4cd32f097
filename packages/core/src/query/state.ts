import type { AssistantMessage, Message, UserMessage, Uuid } from "../messages/message.ts";
import { isToolUse } from "../messages/message.ts";
import { repairHistory } from "../messages/repair.ts";
import type { Transition } from "./transition.ts";

/** What was tried since the last answer that was used: each step of recovery finds its bound here. */
export type RecoveryState = {
  /** Requests that did not give a usable answer. */
  readonly requests: number;
  /** Failures of the same request running. */
  readonly tries: number;
  /** Overloads running. */
  readonly overloads: number;
  /** Overloads and limits that an unattended run has waited for: no tries, and no requests of the bound. */
  readonly riddenOut: number;
  /** Answers that broke off after content had come. */
  readonly cuts: number;
  /** The answer is asked for whole, not as a stream. */
  readonly asksInOnePiece: boolean;
  readonly resumedAnswers: number;
  readonly cutToolUses: number;
  readonly emptyAnswers: number;
  readonly hasDrained: boolean;
  readonly hasCompacted: boolean;
  readonly hasStrippedMedia: boolean;
  readonly hasRepairedHistory: boolean;
  readonly hasRefreshedCredentials: boolean;
};

export const noRecovery: RecoveryState = {
  requests: 0,
  tries: 0,
  overloads: 0,
  riddenOut: 0,
  cuts: 0,
  asksInOnePiece: false,
  resumedAnswers: 0,
  cutToolUses: 0,
  emptyAnswers: 0,
  hasDrained: false,
  hasCompacted: false,
  hasStrippedMedia: false,
  hasRepairedHistory: false,
  hasRefreshedCredentials: false,
};

/** Where the turn stands. Replaced whole at each step; the message list itself is appended to. */
export type QueryState = {
  /** The projection, shared with the engine. */
  readonly messages: Message[];
  /** The last line of the chain: the parent of the next. */
  readonly leaf: Uuid | null;
  /** Requests whose answer was used, from 0. */
  readonly roundCount: number;
  readonly maxOutputTokensOverride?: number;
  /** The highest output cap that the model's provider takes, once it has refused a higher one. */
  readonly outputLimit?: number;
  /** Which of the turn's models is asked: 0, or a fallback's place. */
  readonly modelIndex: number;
  /** What was tried since the last answer that was used. */
  readonly recovery: RecoveryState;
  readonly malformedAnswers: number;
  readonly pauses: number;
  readonly stopHookBlocks: number;
  readonly toolCalls: number;
  /** Of which budgets the model has been told that they are nearly used. */
  readonly warned: { readonly ofCost: boolean; readonly ofTokens: boolean };
  /** Times that the model was asked to go on because of its task budget. */
  readonly budgetContinues: number;
  /** Names of tools that the provider refuses. */
  readonly leftOutTools: ReadonlySet<string>;
  /** The structured output, once the model has given it. */
  readonly output?: { readonly value: unknown };
  /** Times that the model missed giving it. */
  readonly outputMisses: number;
  /** Ids of all calls of the conversation: a new call never takes one of them. */
  readonly toolUseIds: Set<string>;
  /** The last call with its input and result, and how often it came running. */
  readonly repeat: { readonly key: string; readonly count: number };
  /** Why the last iteration went on. */
  readonly transition?: Transition;
};

export function initialState(messages: Message[], leaf: Uuid | null): QueryState {
  return {
    messages,
    leaf,
    roundCount: 0,
    modelIndex: 0,
    recovery: noRecovery,
    malformedAnswers: 0,
    pauses: 0,
    stopHookBlocks: 0,
    toolCalls: 0,
    warned: { ofCost: false, ofTokens: false },
    budgetContinues: 0,
    leftOutTools: new Set(),
    outputMisses: 0,
    toolUseIds: new Set(messages.flatMap((message) => message.content.filter(isToolUse).map((block) => block.id))),
    repeat: { key: "", count: 0 },
  };
}

/** Appends to the projection; user lines in a row are one message there. */
export function appendUser(messages: Message[], lines: readonly UserMessage[]): void {
  for (const line of lines) {
    const last = messages.at(-1);
    if (last?.role === "user") {
      messages[messages.length - 1] = joinUser(last, line);
      continue;
    }
    messages.push(line);
    if (last?.stopReason === "pause_turn") endPaused(messages);
  }
}

/** A paused answer that is not gone on with: what only its end would have made whole cannot stay, as when it is read from disk. */
function endPaused(messages: Message[]): void {
  messages.splice(0, messages.length, ...repairHistory(messages).messages);
}

/** An answer that goes on where the one before was paused is one message with it. */
export function appendAssistant(messages: Message[], answer: AssistantMessage): void {
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    messages[messages.length - 1] = { ...answer, content: [...last.content, ...answer.content] };
  } else {
    messages.push(answer);
  }
}

function joinUser(first: UserMessage, second: UserMessage): UserMessage {
  const content = [...first.content, ...second.content];
  const isMeta = first.isMeta === true && second.isMeta === true;
  return { role: "user", uuid: second.isMeta ? first.uuid : second.uuid, content, ...(isMeta ? { isMeta } : {}) };
}
