import { type MessageOrigin, textOf } from "../messages/message.ts";
import { toApiUsage } from "../messages/normalize.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { ModelEvent, ModelRequest, RateLimit } from "../models/model.ts";
import type { Because } from "../permissions/decision.ts";
import { createDenialRecorder, type PermissionDenial } from "../permissions/denials.ts";
import type { Compacted, QueryDeps } from "../query/deps.ts";
import type { QueryEvent } from "../query/event.ts";
import type { Terminal, Transition } from "../query/transition.ts";
import type { FinalDecision } from "../tools/call.ts";
import type { FrameQueue } from "./frame-queue.ts";
import { assistantFrame, errorFrame, rateLimitInfo, userFrame } from "./frames.ts";
import { noticeFrame } from "./notice-frame.ts";
import { resultFields } from "./result.ts";
import type { SdkAssistant, SdkMessage, SdkResult } from "./sdk-message.ts";
import type { Session } from "./session.ts";
import { transitionFrame } from "./transition-frame.ts";
import type { TurnEvents } from "./turn-deps.ts";

/** The text before them is not the last word. The others go on with an answer, or ask for it again. */
const beginsRound: ReadonlySet<Transition["type"]> = new Set([
  "next_round",
  "stop_hook_blocking",
  "structured_output_retry",
  "budget_continue",
]);

/** A rule about paths that a file tool keeps to: the model is told, eyes are not. */
const isPathRule = ({ type, rule = "" }: Because) =>
  type === "rule" && /^(Read|Edit|Write|Grep|Glob|NotebookEdit)\(/.test(rule);

/** Follows one turn: turns the loop's events into frames, and sums up what the result says. */
export class TurnReport implements TurnEvents {
  readonly #session: Session;
  readonly #startedAt: number;
  readonly #denials = createDenialRecorder();
  /** Frames that arise beside the loop's events; given out before the next, and while it is waited for. */
  readonly #side: FrameQueue;
  readonly #origin: MessageOrigin | undefined;
  #apiMs = 0;
  #firstTokenMs: number | undefined;
  #rounds = 0;
  /** Of this round's lines that stand, by uuid. */
  readonly #texts = new Map<string, string>();
  #stopReason: string | null = null;
  #superseded: string[] = [];
  /** What was told of the provider's limits last. */
  #rateLimit = "";

  /** @param origin what started the turn, when that was no prompt. */
  constructor(session: Session, origin?: MessageOrigin) {
    this.#session = session;
    this.#side = session.frames;
    this.#origin = origin;
    this.#startedAt = session.config.clock.now();
    session.ledger.startTurn();
  }

  /** Every call that got no leave, whoever said no. */
  readonly denied = (denial: PermissionDenial, decision: FinalDecision): void => {
    this.#denials.record(denial);
    if (isPathRule(decision.because)) return;
    this.#side.push({
      type: "system",
      subtype: "permission_denied",
      tool_name: denial.toolName,
      tool_use_id: denial.toolUseId,
      decision_reason_type: decision.because.type,
      decision_reason: decision.because.reason,
      message: denial.reason,
      ...this.#envelope(),
    });
  };

  readonly compacted = ({ entries }: Compacted): void => {
    const boundary = entries.find((entry) => entry.type === "compact_boundary");
    if (boundary === undefined) return;
    const compact_metadata = { trigger: boundary.trigger, pre_tokens: boundary.preTokens };
    this.#side.push({ type: "system", subtype: "compact_boundary", compact_metadata, ...this.#envelope() });
  };

  /** The same dependencies, with the time that the model takes counted. */
  timed(deps: QueryDeps): QueryDeps {
    const report = this;
    return {
      ...deps,
      async *callModel(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
        const startedAt = deps.now();
        try {
          for await (const event of deps.callModel(request, signal)) {
            report.#see(event, startedAt, deps.now);
            yield event;
          }
        } finally {
          report.#apiMs += Math.max(0, deps.now() - startedAt);
        }
      },
    };
  }

  #see(event: ModelEvent, startedAt: number, now: () => number): void {
    if (event.type === "message_start") {
      this.#firstTokenMs ??= Math.max(0, now() - startedAt);
      if (event.rateLimit) this.#limited(event.rateLimit);
    }
    if (event.type === "message_end") this.#stopReason = event.stop === "unknown" ? null : event.stop;
    if (event.type === "failure" && event.failure.type === "rate_limited") {
      const { resetsAt, window } = event.failure;
      this.#limited({ status: "rejected", ...(resetsAt ? { resetsAt } : {}), ...(window ? { window } : {}) });
    }
  }

  /** Told when it is another than before. */
  #limited(rateLimit: RateLimit): void {
    const info = rateLimitInfo(rateLimit);
    const told = JSON.stringify(info);
    if (told === this.#rateLimit) return;
    this.#rateLimit = told;
    this.#side.push({ type: "rate_limit_event", rate_limit_info: info, ...this.#envelope() });
  }

  async *frames(events: AsyncGenerator<QueryEvent, Terminal>): AsyncGenerator<SdkMessage, Terminal> {
    try {
      for (;;) {
        const next = yield* this.#sideFramesUntil(events.next());
        if (next.done) return next.value;
        const frame = this.#frameOf(next.value);
        if (frame) yield frame;
      }
    } finally {
      // A consumer that leaves ends the loop as well; one that has ended is not touched by it.
      await events.return({ reason: "aborted", in: "stream" });
    }
  }

  /** Gives what arises while the next event is waited for: a tool that runs long says so. */
  async *#sideFramesUntil<Value>(next: Promise<Value>): AsyncGenerator<SdkMessage, Value> {
    let isThere = false;
    const arrive = () => {
      isThere = true;
    };
    const settled = next.then(arrive, arrive);
    while (!isThere) {
      await this.#side.untilArrival(settled);
      yield* this.#side.take();
    }
    return next;
  }

  #frameOf(event: QueryEvent): SdkMessage | undefined {
    const { sessionId } = this.#session.config;
    switch (event.type) {
      case "request_start":
        this.#rounds += event.attempt === 1 ? 1 : 0;
        if (!this.#session.config.includePartialMessages) return undefined;
        return { type: "system", subtype: "status", status: "requesting", ...this.#envelope() };
      case "stream_event":
        return { type: "stream_event", event: event.event, parent_tool_use_id: null, ...this.#envelope() };
      case "block":
        this.#texts.set(event.message.uuid, textOf(event.message.content));
        return this.#superseding(assistantFrame(event.message, sessionId));
      case "message":
        return userFrame(event.message, sessionId);
      case "transition":
        return this.#transitionFrame(event.transition, event.failure);
      case "notice":
        return noticeFrame(this.#session, event.content);
      case "tombstone":
        this.#superseded.push(...event.uuids);
        for (const uuid of event.uuids) this.#texts.delete(uuid);
        return undefined;
      case "tool_use_summary": {
        const { summary, toolUseIds } = event;
        return { type: "tool_use_summary", summary, preceding_tool_use_ids: toolUseIds, ...this.#envelope() };
      }
      case "command_completed":
        return { type: "system", subtype: "command_completed", command: event.command, ...this.#envelope() };
      default:
        return event satisfies never;
    }
  }

  #transitionFrame(transition: Transition, failure: ModelFailure | undefined): SdkMessage | undefined {
    if (beginsRound.has(transition.type)) this.#texts.clear();
    if (failure === undefined) return undefined;
    const frame = transitionFrame(transition, failure, this.#session.config.maxRetries);
    return frame && { ...frame, ...this.#envelope() };
  }

  /** The frame takes the place of those that left the conversation. */
  #superseding(frame: SdkAssistant): SdkAssistant {
    if (this.#superseded.length === 0) return frame;
    return { ...frame, supersedes: this.#superseded.splice(0) };
  }

  /** The frames that end a turn: the error if there is one, then exactly one result. */
  *end(terminal: Terminal): Generator<SdkMessage, void> {
    yield* this.#side.take();
    const { sessionId, clock, fallbackModels = [] } = this.#session.config;
    const tried = { hasFallback: fallbackModels.length > 0 };
    if ("failure" in terminal) {
      yield this.#superseding(errorFrame(terminal.failure, tried, clock.uuid(), sessionId));
    } else if (this.#superseded.length > 0) {
      const content = `${this.#superseded.splice(0).length} blocks of a discarded answer are not part of the conversation`;
      yield { type: "system", subtype: "informational", content, level: "info", ...this.#envelope() };
    }
    const stopReason = terminal.reason === "refusal" ? "refusal" : this.#stopReason;
    const fields = resultFields(terminal, [...this.#texts.values()].join(""), tried);
    yield this.#result({ ...fields, stop_reason: stopReason });
  }

  /** The result of a command that was answered without the model. */
  localResult(command: string, text: string, isError: boolean): SdkResult {
    const fields = { subtype: "success", is_error: isError, terminal_reason: "completed", result: text } as const;
    return this.#result({ ...fields, stop_reason: null, local_command: command });
  }

  #result(
    fields: Pick<SdkResult, "subtype" | "is_error" | "terminal_reason" | "stop_reason"> & Partial<SdkResult>,
  ): SdkResult {
    const { ledger, config } = this.#session;
    const { subtype, is_error, ...rest } = fields;
    return {
      type: "result",
      subtype,
      is_error,
      duration_ms: Math.max(0, config.clock.now() - this.#startedAt),
      duration_api_ms: this.#apiMs,
      num_turns: this.#rounds,
      total_cost_usd: ledger.costUsd(),
      usage: toApiUsage(ledger.turnUsage()),
      modelUsage: ledger.byModel(),
      permission_denials: this.#denials.denials().map(({ toolName, toolUseId, input }) => ({
        tool_name: toolName,
        tool_use_id: toolUseId,
        tool_input: input,
      })),
      ...(this.#firstTokenMs === undefined ? {} : { ttft_ms: this.#firstTokenMs }),
      ...rest,
      ...(this.#origin === undefined ? {} : { origin: this.#origin }),
      ...this.#envelope(),
    };
  }

  #envelope(): { uuid: string; session_id: string } {
    const { clock, sessionId } = this.#session.config;
    return { uuid: clock.uuid(), session_id: sessionId };
  }
}
