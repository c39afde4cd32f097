import { childController } from "../../lib/abort.ts";
import type { Model, ModelEvent } from "../model.ts";
import { type Call, Client, PROVIDER } from "./client.ts";
import type { AnthropicOptions } from "./options.ts";

/**
 * A model behind the Messages API.
 *
 * @throws PawlError `bad_option` for an address, a proxy variable or a header that cannot be used; `missing_key` when the
 * provider's own address is used without a credential.
 * @see https://docs.anthropic.com/en/api/messages
 */
export function anthropicModel(options: AnthropicOptions): Model {
  const client = new Client(options);
  return {
    id: options.id,
    provider: PROVIDER,
    limits: { contextTokens: options.info.contextTokens, maxOutputTokens: options.info.maxOutputTokens },
    // Of a model that the catalogue does not have, behind whatever server, it is not known.
    ...(options.info.isKnown && { searchesWeb: true }),
    ...(options.info.takesToolReferences && {
      toolReferences: client.isProvidersOwn ? ("taken" as const) : ("unproven" as const),
    }),
    stream: (request, signal) => ({
      [Symbol.asyncIterator]: () => closable((call) => client.answer(request, call), signal),
    }),
  };
}

/** `return()` ends the request at once, also while the next event is awaited. */
function closable(
  open: (call: Call) => AsyncGenerator<ModelEvent, void>,
  signal: AbortSignal,
): AsyncIterator<ModelEvent, void> {
  const controller = childController(signal);
  const call: Call = { signal: controller.signal, isWhole: false };
  const events = open(call);
  return {
    async next() {
      const next = await events.next();
      if (next.done) controller.release();
      return next;
    },
    return() {
      if (!call.isWhole) controller.abort();
      controller.release();
      return events.return();
    },
  };
}
