import type { ContentBlock, Message, ModelId, StopReason, Usage } from "../messages/message.ts";
import type { ModelFailure } from "./failure.ts";

/** What a model is to the engine: one request in, events out, failures as values. */
export interface Model {
  readonly id: ModelId;
  readonly provider: string;
  readonly limits: ModelLimits;
  /** Never throws for what a provider or a network can do: that is a `failure` event, always the last one. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Of a model that plays what was written beforehand: what is left of it and had to be played, in words. */
  unusedSteps?(): readonly string[];
  /**
   * Whether it takes `tool_reference` blocks and tools with `deferLoading`; `unproven`: its kind does, but it is reached by an
   * address that may not. Default: it does not.
   */
  readonly toolReferences?: "taken" | "unproven";
  /** Whether its provider searches the web by a server tool of its own. */
  readonly searchesWeb?: boolean;
  /** The model for small questions that comes with this one, such as a scenario's own. */
  readonly small?: Model;
}

/** Tokens. */
export type ModelLimits = { contextTokens: number; maxOutputTokens: number };

/** In canonical order: tools, system, messages. `messages` keep the rules of a request (`violations(…, { as: "request" })`). */
export type ModelRequest = {
  tools: readonly ToolSchema[];
  /** Tools that the provider runs itself, in its own form. */
  serverTools?: readonly ServerTool[];
  system: readonly string[];
  messages: readonly Message[];
  maxTokens: number;
  /** Which of the turn's models; the first when left out. */
  model?: ModelId;
  /** How much to think; the adapter turns it into what its model takes. */
  thinking?: ThinkingConfig;
  outputSchema?: object;
  skipCacheWrite?: boolean;
  /** The answer is asked for whole, not as a stream, where the provider can: its events come all at its end. */
  inOnePiece?: boolean;
  /** Whether `raw` events are wanted. Off saves work: nobody looks. */
  includeRaw?: boolean;
};
export type ToolSchema = {
  name: string;
  description: string;
  inputSchema: object;
  /** The model learns of it only by a `tool_reference`. Only for models that take those. */
  deferLoading?: true;
};

export type ServerTool = { type: string; name: string; [field: string]: unknown };

export type ThinkingConfig =
  | { type: "adaptive"; effort?: Effort }
  | { type: "disabled" }
  | { type: "enabled"; budgetTokens: number };
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** A block that was still open when its answer ended or broke off. */
export type CutBlock = { type: string; toolName?: string; partialJson?: string };

/** What the provider says of its limits beside an answer; left out while they are far. Times in milliseconds since the epoch. */
export type RateLimit = {
  status: "allowed" | "allowed_warning" | "rejected";
  resetsAt?: number;
  /** The provider's word for the limit, such as `five_hour`. */
  window?: string;
  /** How much of it is used: 1 is all. */
  utilization?: number;
  /** Whether paid use beyond the limit goes on. */
  overage?: { status: string; resetsAt?: number };
};

export type ModelEvent =
  /** `usage` is what the provider reported by then: all that is known of an answer that is left before its end. */
  | { type: "message_start"; id: string; model: ModelId; requestId?: string; usage?: Usage; rateLimit?: RateLimit }
  /** The provider's own event in the Messages API's form: for eyes and `stream_event` only. */
  | { type: "raw"; event: unknown }
  /** Whole and final: decisions read only these. */
  | { type: "block_end"; index: number; block: ContentBlock }
  | { type: "message_end"; stop: StopReason; usage: Usage; cutBlock?: CutBlock }
  | {
      type: "failure";
      failure: ModelFailure;
      /** What had come: whole blocks, and the open text so far. */
      partial: readonly ContentBlock[];
      cutBlock?: CutBlock;
      /** What the provider reported before it broke off. */
      usage?: Usage;
    };
