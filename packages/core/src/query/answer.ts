import type {
  AssistantMessage,
  ContentBlock,
  ModelId,
  StopReason,
  ToolUseBlock,
  Usage,
  Uuid,
} from "../messages/message.ts";
import { isToolUse } from "../messages/message.ts";
import { unsendable } from "../messages/sendable.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { CutBlock } from "../models/model.ts";
import { type StreamingExecutor, streamingExecutor } from "../tools/streaming-executor.ts";
import type { ToolCall } from "../tools/tool.ts";
import type { WrittenResult } from "../tools/tool-result.ts";
import type { QueryConfig } from "./config.ts";
import type { AnswerFacts } from "./decide.ts";
import type { QueryDeps } from "./deps.ts";
import type { QueryState } from "./state.ts";
import { beyondLimit, isBeyondLimit } from "./tool-call-limit.ts";

/** One answer of the model as it comes in, with the calls that it has started. */
export type Answer = {
  id: string;
  /** Which request of its round this one is, from 1. */
  attempt: number;
  requestId?: string;
  model: ModelId;
  /** Whole blocks, each with the uuid of its line. */
  lines: { uuid: Uuid; block: ContentBlock }[];
  /** Ids of all calls of the conversation. */
  readonly usedIds: Set<string>;
  /** Blocks that have ended, those included that made no line. */
  endedBlocks: number;
  stop: StopReason | null;
  /** What the provider has reported so far. */
  usage: Usage | null;
  failure?: ModelFailure;
  cutBlock?: CutBlock;
  /** What had come of the text that was still open when the answer broke off; a line only once it is kept. */
  openText?: ContentBlock;
  executor: StreamingExecutor;
  /** Of its calls, in their order, once they are in the history. */
  results: readonly WrittenResult[];
  /** Its lines are in the journal. */
  isRecorded: boolean;
  /** Each of its calls has a result in the history, or the answer is not in it. */
  isClosed: boolean;
};

export function openAnswer(state: QueryState, config: QueryConfig, deps: QueryDeps, signal: AbortSignal): Answer {
  const executor = streamingExecutor({
    run: async (call, callSignal) =>
      isBeyondLimit(call, callsOf(answer), state.toolCalls, config)
        ? beyondLimit(config.maxToolCalls)
        : deps.runTool(call, callSignal),
    isConcurrencySafe: (call) => factsOf(call, config).isConcurrencySafe,
    failureCancelsSiblings: (call) => config.tools.get(call.name)?.failureCancelsSiblings === true,
    signal,
    startsDuringStream: !config.durable,
  });
  const answer: Answer = {
    id: "",
    attempt: state.recovery.requests + state.recovery.riddenOut + 1,
    model: "" as ModelId,
    lines: [],
    usedIds: state.toolUseIds,
    endedBlocks: 0,
    stop: null,
    usage: null,
    results: [],
    executor,
    isRecorded: false,
    isClosed: false,
  };
  return answer;
}

/** A call that cannot run, unknown or with bad input, has no effect: it may stand beside anything. */
function factsOf(call: ToolCall, config: QueryConfig): { isConcurrencySafe: boolean } {
  const tool = config.tools.get(call.name);
  if (tool === undefined || call.unparsedInput !== undefined) return { isConcurrencySafe: true };
  const parsed = tool.parse(call.input);
  return { isConcurrencySafe: parsed.ok ? tool.isConcurrencySafe(parsed.input) : true };
}

/** Takes off what cannot be sent back; gives the uuids of its lines. */
export function trimUnsendable(answer: Answer): Uuid[] {
  const left = unsendableIn(answer);
  const uuids = answer.lines.filter(({ block }) => left.has(block)).map(({ uuid }) => uuid);
  if (uuids.length > 0) answer.lines = answer.lines.filter(({ block }) => !left.has(block));
  return uuids;
}

/** A paused answer goes back as it is. */
function unsendableIn({ stop, failure, lines }: Answer): ReadonlySet<ContentBlock> {
  return stop === "pause_turn" && failure === undefined ? new Set() : unsendable(lines.map(({ block }) => block));
}

/** Whether there is something to keep: text, a call, or what the provider did by itself; thinking alone is not. */
export function hasSendable(answer: Answer): boolean {
  if (answer.openText !== undefined) return true;
  const left = unsendableIn(answer);
  return answer.lines.some(({ block }) => !left.has(block) && !isThinking(block));
}

const isThinking = ({ type }: ContentBlock) => type === "thinking" || type === "redacted_thinking";

export const callsOf = (answer: Answer): ToolUseBlock[] => answer.lines.map((line) => line.block).filter(isToolUse);

/** One line of the answer; only the last carries usage and stop reason. */
export function lineMessage(answer: Answer, index: number): AssistantMessage | undefined {
  const line = answer.lines[index];
  if (line === undefined) return undefined;
  const isLast = index === answer.lines.length - 1 && answer.stop !== null;
  return messageOf(answer, line.uuid, [line.block], isLast);
}

/** The whole answer as it stands in the projection. */
export function wholeMessage(answer: Answer): AssistantMessage | undefined {
  const last = answer.lines.at(-1);
  if (last === undefined) return undefined;
  return messageOf(
    answer,
    last.uuid,
    answer.lines.map((line) => line.block),
    answer.stop !== null,
  );
}

function messageOf(answer: Answer, uuid: Uuid, content: ContentBlock[], isLast: boolean): AssistantMessage {
  return {
    role: "assistant",
    uuid,
    id: answer.id,
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    model: answer.model,
    content,
    stopReason: isLast ? answer.stop : null,
    usage: isLast ? answer.usage : null,
  };
}

/** Makes a line of the text that was open when the answer broke off. */
export function keepOpenText(answer: Answer, deps: Pick<QueryDeps, "uuid">): void {
  if (answer.openText !== undefined) answer.lines.push({ uuid: deps.uuid(), block: answer.openText });
  delete answer.openText;
}

/** What a decision looks at of an answer. */
export const answerFacts = (answer: Answer): AnswerFacts => ({
  blocks: answer.lines.map((line) => line.block),
  stop: answer.stop,
  ...(answer.failure ? { failure: answer.failure } : {}),
  ...(answer.cutBlock ? { cutBlock: answer.cutBlock } : {}),
});
