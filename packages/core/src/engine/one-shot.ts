import type { ApiBlock } from "../messages/api-message.ts";
import type { EngineOptions } from "./options.ts";
import type { QueryEngine } from "./query-engine.ts";
import type { SdkMessage } from "./sdk-message.ts";

export type QueryInput = {
  /** One prompt, or several, each a turn of the same conversation. */
  prompt: string | readonly ApiBlock[] | AsyncIterable<string | readonly ApiBlock[]>;
  options?: EngineOptions;
};

/** The public `query()`: makes an engine, runs the turns, and closes it whatever happens. */
export function oneShot(create: (options: EngineOptions) => Promise<QueryEngine>) {
  return async function* query({ prompt, options = {} }: QueryInput): AsyncGenerator<SdkMessage, void> {
    const engine = await create(options);
    try {
      if (isPrompts(prompt)) for await (const one of prompt) yield* engine.submitMessage(one);
      else yield* engine.submitMessage(prompt);
    } finally {
      await engine.close();
    }
  };
}

const isPrompts = (prompt: QueryInput["prompt"]): prompt is AsyncIterable<string | readonly ApiBlock[]> =>
  typeof prompt === "object" && Symbol.asyncIterator in prompt;
