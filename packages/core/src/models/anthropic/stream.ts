import { isBlock, isRecord } from "../../messages/api-shape.ts";
import { asJson, isTooDeep } from "../../messages/json-value.ts";
import {
  type ContentBlock,
  type ModelId,
  type Provenance,
  type StopReason,
  stopReasons,
  type Usage,
} from "../../messages/message.ts";
import { fromApiUsage } from "../../messages/normalize.ts";
import type { ModelFailure } from "../failure.ts";
import type { CutBlock, ModelEvent, RateLimit } from "../model.ts";
import { type Fields, textIn } from "./fields.ts";
import { OpenBlock } from "./open-block.ts";
import { plainTextDelta } from "./plain-text-delta.ts";

type AnswerOptions = {
  /** Who makes the opaque blocks of this answer. */
  provenance: Provenance;
  includeRaw: boolean;
  requestId: string | undefined;
  rateLimit?: RateLimit | undefined;
};

/** One answer as it comes: the API's events go in, ours come out of `drain`. A repeated start begins it anew. */
export class Answer {
  /** Whether content came since `drain` was last asked. */
  hadContent = false;
  /** Set by `message_stop`: what follows can only be another start. */
  isWhole = false;
  hasBegun = false;
  /** The data of an `error` event. */
  error: string | undefined;
  readonly #options: AnswerOptions;
  #events: ModelEvent[] = [];
  #done: ContentBlock[] = [];
  readonly #open = new Map<number, OpenBlock>();
  /** The place of a call without input that has ended: whole only if the answer was not cut right there. */
  #bareCall: number | undefined;
  #usage: Fields = {};
  #stopReason: string | undefined;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** @throws SyntaxError when `data` is not JSON. */
  accept(data: string, name: string): void {
    const plain = this.#options.includeRaw ? undefined : plainTextDelta(data);
    if (plain !== undefined) {
      this.hadContent = true;
      this.#open.get(plain.index)?.appendText(plain.text);
      return;
    }
    const event: unknown = JSON.parse(data);
    if (!isRecord(event)) return;
    const type = textIn(event, "type") ?? name;
    if (this.isWhole && type !== "message_start") return;
    // Whoever watches writes it as JSON.
    if (this.#options.includeRaw) this.#events.push({ type: "raw", event: isTooDeep(event) ? asJson(event) : event });
    switch (type) {
      case "content_block_delta":
        this.#delta(event);
        return;
      case "content_block_start":
        this.#blockStart(event);
        return;
      case "content_block_stop":
        this.#blockStop(indexOf(event));
        return;
      case "message_start":
        this.#start(event);
        return;
      case "message_delta":
        this.#messageDelta(event);
        return;
      case "message_stop":
        this.#stop();
        return;
      case "error":
        this.error ??= data;
    }
  }

  /** The events since the last call. */
  drain(): readonly ModelEvent[] {
    this.hadContent = false;
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The last event of an answer that broke off. */
  broken(failure: ModelFailure): ModelEvent {
    const partial = [...this.#done];
    for (const open of this.#open.values()) partial.push(...open.partial());
    return {
      type: "failure",
      failure,
      partial,
      ...this.#cutBlock(),
      ...(this.hasBegun ? { usage: this.#usageSoFar() } : {}),
    };
  }

  #start(event: Fields): void {
    const message = isRecord(event["message"]) ? event["message"] : {};
    this.hasBegun = true;
    this.isWhole = false;
    this.#done = [];
    this.#open.clear();
    this.#bareCall = undefined;
    this.#usage = isRecord(message["usage"]) ? { ...message["usage"] } : {};
    this.#stopReason = textIn(message, "stop_reason");
    const { provenance, requestId, rateLimit } = this.#options;
    this.#events.push({
      type: "message_start",
      id: textIn(message, "id") ?? "",
      model: (textIn(message, "model") as ModelId | undefined) ?? provenance.model,
      ...(requestId === undefined ? {} : { requestId }),
      usage: this.#usageSoFar(),
      ...(rateLimit === undefined ? {} : { rateLimit }),
    });
  }

  #blockStart(event: Fields): void {
    const block = event["content_block"];
    if (!isBlock(block)) return;
    this.hadContent = true;
    this.#endBareCall();
    this.#open.set(indexOf(event), new OpenBlock(block, this.#options.provenance));
  }

  #delta(event: Fields): void {
    this.hadContent = true;
    const delta = event["delta"];
    if (isRecord(delta)) this.#open.get(indexOf(event))?.append(delta);
  }

  #blockStop(index: number): void {
    this.hadContent = true;
    const open = this.#open.get(index);
    if (open === undefined) return;
    if (open.isBareCall) {
      this.#bareCall = index;
      return;
    }
    this.#open.delete(index);
    this.#end(index, open.whole());
  }

  /** More came after it, or the answer ended by itself. */
  #endBareCall(): void {
    const index = this.#bareCall;
    const open = index === undefined ? undefined : this.#open.get(index);
    this.#bareCall = undefined;
    if (index === undefined || open === undefined) return;
    this.#open.delete(index);
    this.#end(index, open.whole());
  }

  #end(index: number, block: ContentBlock): void {
    this.#done.push(block);
    this.#events.push({ type: "block_end", index, block });
  }

  #messageDelta(event: Fields): void {
    this.hadContent = true;
    const delta = isRecord(event["delta"]) ? event["delta"] : {};
    this.#stopReason = textIn(delta, "stop_reason") ?? this.#stopReason;
    const usage = isRecord(event["usage"]) ? event["usage"] : {};
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#usage[name] = value;
    if (this.#stopReason !== "max_tokens") this.#endBareCall();
  }

  #stop(): void {
    if (!this.hasBegun || this.isWhole) return;
    this.isWhole = true;
    if (this.#stopReason !== "max_tokens") this.#endBareCall();
    const cut = this.#cutBlock();
    // Text that was never closed is still the answer's; nothing else is of use half done.
    for (const [index, open] of this.#open) for (const block of open.partial()) this.#end(index, block);
    this.#open.clear();
    this.#events.push({ type: "message_end", stop: stopReasonOf(this.#stopReason), usage: this.#usageSoFar(), ...cut });
  }

  /** Of several open blocks the last call: that one did not run is what the model must be told. */
  #cutBlock(): { cutBlock?: CutBlock } {
    const blocks = [...this.#open.values()];
    const open = blocks.findLast(({ isCall }) => isCall) ?? blocks.at(-1);
    return open === undefined ? {} : { cutBlock: open.cut() };
  }

  #usageSoFar(): Usage {
    return fromApiUsage(this.#usage);
  }
}

const NONE: readonly ModelEvent[] = [];

function stopReasonOf(reason: string | undefined): StopReason {
  return stopReasons.find((known) => known === reason) ?? "unknown";
}

function indexOf(event: Fields): number {
  const index = event["index"];
  return typeof index === "number" ? index : 0;
}
