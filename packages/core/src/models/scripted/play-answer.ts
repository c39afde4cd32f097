import { abortableSleep, onAbort } from "../../lib/abort.ts";
import {
  type ContentBlock,
  isToolUse,
  type ModelId,
  noUsage,
  type StopReason,
  type Usage,
} from "../../messages/message.ts";
import type { ModelFailure } from "../failure.ts";
import type { CutBlock, ModelEvent, ModelRequest } from "../model.ts";
import { rawBlock, rawEnd, rawStart } from "./raw-events.ts";

/** One answer of a scripted model, whole or broken off. */
export type Answer = {
  blocks: readonly ContentBlock[];
  /** Default: `tool_use` when a block is one, else `end_turn`. */
  stop?: StopReason;
  /** What is left out of `input` and `output` is estimated from the request and the blocks; of the others, 0. */
  usage?: Partial<Usage>;
  /** The block that was still open when the answer ended. */
  cutBlock?: CutBlock;
  /** Comes after the blocks, instead of the end of the answer. */
  failure?: ModelFailure;
  /** Nothing comes after the blocks until the signal aborts. */
  stalls?: boolean;
  /** Before the first event. */
  delayMs?: number;
};

/** Waits; resolves early or rejects when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

type Playing = { id: string; model: ModelId; request: ModelRequest; signal: AbortSignal; sleep?: Sleep | undefined };

/** The events of one answer. An abort ends it at the next event, with what had come until then. */
export async function* playAnswer(answer: Answer, playing: Playing): AsyncGenerator<ModelEvent, void> {
  const { signal } = playing;
  const whole: ContentBlock[] = [];
  let openText = "";
  const aborted = (): ModelEvent => ({
    type: "failure",
    failure: { type: "aborted" },
    partial: openText === "" ? whole : [...whole, { type: "text", text: openText }],
  });

  await pause(answer.delayMs ?? 0, signal, playing.sleep ?? abortableSleep);
  for (const { event, text } of eventsOf(answer, playing)) {
    if (signal.aborted) return yield aborted();
    openText += text ?? "";
    if (event.type === "block_end") {
      whole.push(event.block);
      openText = "";
    }
    yield event;
  }
  if (!answer.stalls) return;
  await untilAborted(signal);
  yield aborted();
}

/** Each event, and the text of a block still open that has come with it. */
function* eventsOf(answer: Answer, { id, model, request }: Playing): Generator<{ event: ModelEvent; text?: string }> {
  const { blocks, failure } = answer;
  const cut = answer.cutBlock === undefined ? {} : { cutBlock: answer.cutBlock };
  const isRefused = failure !== undefined && blocks.length === 0 && !isMidAnswer(failure);
  if (isRefused) return yield { event: { type: "failure", failure, partial: [] } };

  const usage = usageOf(answer, request);
  const raw = (event: unknown) => ({ event: { type: "raw", event } as const });
  yield { event: { type: "message_start", id, model, usage: { ...usage, output: 0 } } };
  if (request.includeRaw) yield raw(rawStart(id, model, usage));
  for (const [index, block] of blocks.entries()) {
    if (request.includeRaw) for (const piece of rawBlock(index, block)) yield { ...piece, ...raw(piece.event) };
    yield { event: { type: "block_end", index, block } };
  }
  if (failure !== undefined) return yield { event: { type: "failure", failure, partial: blocks, usage, ...cut } };
  if (answer.stalls) return;
  const stop = answer.stop ?? (blocks.some(isToolUse) ? "tool_use" : "end_turn");
  if (request.includeRaw) yield* rawEnd(stop, usage).map(raw);
  yield { event: { type: "message_end", stop, usage, ...cut } };
}

/** Whether the provider had accepted the request when it failed. */
function isMidAnswer(failure: ModelFailure): boolean {
  return "phase" in failure && failure.phase !== "connect" && failure.phase !== "headers";
}

function usageOf({ blocks, usage }: Answer, { tools, system, messages }: ModelRequest): Usage {
  return { ...noUsage, input: tokensOf([tools, system, messages]), output: tokensOf(blocks), ...usage };
}

const CHARS_PER_TOKEN = 4;

/** Only so that the numbers grow with the request, the same each time. */
const tokensOf = (value: unknown) => Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN);

/** Ends with the signal, whatever `sleep` makes of it. */
async function pause(ms: number, signal: AbortSignal, sleep: Sleep): Promise<void> {
  if (ms === 0 || signal.aborted) return;
  let release = () => {};
  const aborted = new Promise<void>((resolve) => {
    release = onAbort(signal, resolve);
  });
  try {
    await Promise.race([sleep(ms, signal), aborted]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, resolve));
}
