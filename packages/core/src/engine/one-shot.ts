import type { ApiBlock } from "../messages/api-message.ts";
import type { EngineOptions } from "./options.ts";
import type { QueryEngine } from "./query-engine.ts";
import type { SdkMessage } from "./sdk-message.ts";

type OnePrompt = string | readonly ApiBlock[];

export type QueryInput = {
  /**
   * One prompt, or several, each a turn of the same conversation. As long as more may come, the end of a background task
   * starts a turn of its own.
   */
  prompt: OnePrompt | AsyncIterable<OnePrompt>;
  options?: EngineOptions;
};

/** The public `query()`: makes an engine, runs the turns, and closes it whatever happens. */
export function oneShot(create: (options: EngineOptions) => Promise<QueryEngine>) {
  return async function* query({ prompt, options = {} }: QueryInput): AsyncGenerator<SdkMessage, void> {
    const engine = await create(options);
    try {
      if (isPrompts(prompt)) yield* turnsFor(prompt, engine);
      else yield* engine.submitMessage(prompt);
    } finally {
      await engine.close();
    }
  };
}

/** A turn for each prompt, and between them for what the model should be told. */
async function* turnsFor(prompts: AsyncIterable<OnePrompt>, engine: QueryEngine): AsyncGenerator<SdkMessage, void> {
  const queue = prompts[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<OnePrompt>> | undefined;
  try {
    for (;;) {
      coming ??= queue.next();
      coming.catch(() => {}); // told where it is waited for
      const next = await engine.orNotice(coming);
      if (next === "notice") {
        yield* engine.submitNotices();
        continue;
      }
      coming = undefined;
      if (next.done) return;
      yield* engine.submitMessage(next.value);
    }
  } finally {
    // Not awaited while a prompt is waited for: the end would wait for it too.
    const ended = queue.return?.();
    if (coming === undefined) await ended;
  }
}

const isPrompts = (prompt: QueryInput["prompt"]): prompt is AsyncIterable<OnePrompt> =>
  typeof prompt === "object" && Symbol.asyncIterator in prompt;
