import { childController, onAbort } from "../lib/abort.ts";
import { deferred } from "../lib/deferred.ts";
import { messageOf } from "../lib/error.ts";
import type { CancelReason, ToolCall, ToolOutcome } from "./tool.ts";

/** A tool that has not settled this long after its abort is abandoned; a late result is dropped. Milliseconds. */
const ABANDON_AFTER_MS = 1_000;

/** Calls that run beside each other; more wait. */
const MAX_PARALLEL_CALLS = 10;

type ExecutorOptions = {
  run(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
  isConcurrencySafe(call: ToolCall): boolean;
  failureCancelsSiblings(call: ToolCall): boolean;
  signal: AbortSignal;
  /** False in durable mode: nothing starts before the answer is whole and recorded. */
  startsDuringStream: boolean;
};

/** The calls of one answer: decides when each starts, and gives their outcomes in the order of the calls. */
export type StreamingExecutor = {
  add(call: ToolCall): void;
  /** The answer is whole: unsafe calls may start. */
  answerEnded(): void;
  /** Cancels whatever has not settled. */
  cancel(reason: CancelReason): void;
  /** The answer begins anew: the calls so far are cancelled and have no outcome. */
  startOver(): void;
  /** Settles when every call has an outcome. In call order. */
  outcomes(): Promise<ToolOutcome[]>;
};

type Slot = {
  call: ToolCall;
  isSafe: boolean;
  state: "queued" | "running" | "settled";
  cancel(reason: CancelReason): void;
  settle(outcome: ToolOutcome): void;
  outcome: Promise<ToolOutcome>;
};

/**
 * Safe calls start as soon as they are added, beside each other; an unsafe one waits for the end of the answer and for all
 * before it, and runs alone. A call never overtakes an unsafe one that stands before it.
 */
export function streamingExecutor(options: ExecutorOptions): StreamingExecutor {
  const slots: Slot[] = [];
  let mayStart = options.startsDuringStream;
  let hasEnded = false;

  function newSlot(call: ToolCall): Slot {
    const outcome = deferred<ToolOutcome>();
    const slot: Slot = {
      call,
      isSafe: options.isConcurrencySafe(call),
      state: "queued",
      cancel: (reason) => slot.settle({ type: "cancelled", reason }),
      settle(value) {
        if (slot.state === "settled") return;
        slot.state = "settled";
        outcome.resolve(value);
      },
      outcome: outcome.promise,
    };
    return slot;
  }

  function start(slot: Slot): void {
    slot.state = "running";
    const controller = childController(options.signal);
    let cancelled: CancelReason = "abort";
    let abandon: NodeJS.Timeout | undefined;
    const unwatch = onAbort(controller.signal, () => {
      abandon = setTimeout(() => finish({ type: "cancelled", reason: cancelled }), ABANDON_AFTER_MS);
    });
    slot.cancel = (reason) => {
      cancelled = reason;
      controller.abort(reason);
    };
    const finish = (outcome: ToolOutcome) => {
      clearTimeout(abandon);
      unwatch();
      controller.release();
      if (slot.state === "settled") return;
      slot.settle(outcome);
      if (hasFailed(outcome) && options.failureCancelsSiblings(slot.call)) cancelSiblingsAfter(slot);
      startWhatMay();
    };
    options.run(slot.call, controller.signal).then(
      (outcome) => finish(outcome.type === "cancelled" ? { type: "cancelled", reason: cancelled } : outcome),
      (error: unknown) => finish({ type: "failed", message: messageOf(error) }),
    );
  }

  function cancelSiblingsAfter(failed: Slot): void {
    for (const slot of slots.slice(slots.indexOf(failed) + 1)) {
      if (slot.state !== "settled" && options.failureCancelsSiblings(slot.call)) slot.cancel("sibling_failed");
    }
  }

  const running = () => slots.filter((slot) => slot.state === "running").length;

  function startWhatMay(): void {
    if (!mayStart || options.signal.aborted) return;
    let isFirstUnsettled = true;
    for (const slot of slots) {
      if (slot.state === "settled") continue;
      if (slot.isSafe) {
        if (slot.state === "queued" && running() < MAX_PARALLEL_CALLS) start(slot);
      } else {
        if (slot.state === "queued" && hasEnded && isFirstUnsettled) start(slot);
        return;
      }
      isFirstUnsettled = false;
    }
  }

  function cancel(reason: CancelReason): void {
    for (const slot of slots) if (slot.state !== "settled") slot.cancel(reason);
  }

  /** Watched only while there are calls: most answers have none, and a turn may have thousands of answers. */
  let unwatchAbort: (() => void) | undefined;
  function unwatch(): void {
    unwatchAbort?.();
    unwatchAbort = undefined;
  }

  return {
    add(call) {
      const slot = newSlot(call);
      slots.push(slot);
      unwatchAbort ??= onAbort(options.signal, () => cancel("abort"));
      if (options.signal.aborted) slot.cancel("abort");
      else startWhatMay();
    },
    answerEnded() {
      hasEnded = true;
      mayStart = true;
      startWhatMay();
    },
    cancel,
    startOver() {
      cancel("discarded_answer");
      unwatch();
      slots.length = 0;
    },
    async outcomes() {
      const outcomes = await Promise.all(slots.map((slot) => slot.outcome));
      unwatch();
      return outcomes;
    },
  };
}

const hasFailed = (outcome: ToolOutcome) =>
  outcome.type === "failed" || (outcome.type === "done" && outcome.result.isError === true);
