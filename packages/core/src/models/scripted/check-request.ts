import type { ApiMessage } from "../../messages/api-message.ts";
import type { Message } from "../../messages/message.ts";
import { toApiMessage } from "../../messages/normalize.ts";
import { violations } from "../../messages/violations.ts";
import type { ModelFailure } from "../failure.ts";
import type { Model, ModelRequest } from "../model.ts";

export type Refusal = Extract<ModelFailure, { type: "invalid_request" }>;

/** A request that breaks the API's rules is refused as the API would, with every rule it breaks. */
export function checkRequest(request: ModelRequest, model: Pick<Model, "id" | "limits">): Refusal | undefined {
  const found = violations(request.messages.map(judged), {
    as: "request",
    model: model.id,
    maxTokens: request.maxTokens,
    maxOutputTokens: model.limits.maxOutputTokens,
  });
  if (found.length === 0) return undefined;
  return invalidRequest(
    "the request breaks rules of the Messages API",
    found.map(({ rule, at, message }) => `${at}: ${message} (rule ${rule})`),
  );
}

export function invalidRequest(what: string, details: readonly string[]): Refusal {
  return { type: "invalid_request", status: 400, message: [what, ...details].join("\n  ") };
}

/** With what else the rules look at: a paused answer may end a request, and thinking goes back only to its model. */
function judged(message: Message): ApiMessage {
  const api = toApiMessage(message);
  return message.role === "user" ? api : { ...api, stop_reason: message.stopReason, model: message.model };
}
