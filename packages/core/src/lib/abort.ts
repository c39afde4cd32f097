import { setMaxListeners } from "node:events";
import { PawlError } from "./error.ts";

/** Calls that run beside each other listen each on their own: more than these on one signal look forgotten to Node, which warns. */
const MAX_LISTENERS = 1_000;

/** An abort controller that follows `parent` until `release` is called. */
type ChildController = AbortController & { release(): void };

/**
 * Aborts with `parent`, at once when it is already aborted. `release` takes the listener off a long-lived parent;
 * `AbortSignal.any` would keep one for each call.
 */
export function childController(parent: AbortSignal): ChildController {
  const controller = new AbortController();
  setMaxListeners(MAX_LISTENERS, controller.signal);
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  return Object.assign(controller, { release: () => parent.removeEventListener("abort", follow) });
}

/** Runs `listener` once `signal` aborts, at once when it has; gives a function that takes it off again. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** Resolves after `ms`, or at once when `signal` aborts: the caller looks at the signal. */
export function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

/**
 * `work`, or a PawlError `aborted` as soon as the signal aborts: for work that cannot be stopped and has an end of its own.
 * `what` begins the message.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal, what: string): Promise<Result> {
  let stopListening = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () =>
      reject(new PawlError("aborted", `${what} was cancelled.`, { cause: signal.reason })),
    );
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}
