import { onAbort } from "../lib/abort.ts";
import type { Model, ModelEvent } from "./model.ts";

/** After an abort a model may still tell what had come; one that does not is left. Milliseconds. */
const ABORT_GRACE_MS = 300;

/**
 * `model`, whose streams end soon after an abort whatever it does: one that never settles is left, and the last event is
 * an `aborted` failure. Without an abort the events pass as they are.
 */
export function endingOnAbort(model: Model): Model {
  return {
    id: model.id,
    provider: model.provider,
    limits: model.limits,
    ...(model.searchesWeb && { searchesWeb: true }),
    ...(model.toolReferences && { toolReferences: model.toolReferences }),
    stream: (request, signal) => untilLeft(model.stream(request, signal), signal),
  };
}

const ABORTED: ModelEvent = { type: "failure", failure: { type: "aborted" }, partial: [] };
const LEFT = Symbol("left");

async function* untilLeft(stream: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  const events = stream[Symbol.asyncIterator]();
  let leave = () => {};
  let timer: NodeJS.Timeout | undefined;
  const unlisten = onAbort(signal, () => {
    timer = setTimeout(() => leave(), ABORT_GRACE_MS);
  });
  let isSettled = true;
  try {
    for (;;) {
      isSettled = false;
      // Not `Promise.race` with one promise for all: each event would leave a listener on it.
      const next = await new Promise<IteratorResult<ModelEvent> | typeof LEFT>((resolve, reject) => {
        leave = () => resolve(LEFT);
        events.next().then(resolve, reject);
      });
      if (next === LEFT) return yield ABORTED;
      isSettled = true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    unlisten();
    clearTimeout(timer);
    // Whoever has been left may settle its end when it likes, or never.
    const ended = Promise.resolve(events.return?.()).then(
      () => {},
      () => {},
    );
    if (isSettled) await ended;
  }
}
