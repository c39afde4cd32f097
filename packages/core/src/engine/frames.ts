import type { KnownApiBlock } from "../messages/api-message.ts";
import type { AssistantMessage, ContentBlock, UserMessage } from "../messages/message.ts";
import { noUsage } from "../messages/message.ts";
import { toApiBlock, toApiUsage } from "../messages/normalize.ts";
import type { ModelFailure, Phase } from "../models/failure.ts";
import type { RateLimit } from "../models/model.ts";
import { MAX_TRIES_PER_REQUEST } from "../query/recovery/bounds.ts";
import type { RetryTransition } from "../query/transition.ts";
import { failureText, sdkApiError, statusOf, type Tried } from "./result.ts";
import type { SdkApiRetry, SdkAssistant, SdkRateLimit, SdkUser } from "./sdk-message.ts";

/** One block of an answer as a frame. */
export function assistantFrame(message: AssistantMessage, sessionId: string): SdkAssistant {
  return {
    type: "assistant",
    message: {
      id: message.id,
      type: "message",
      role: "assistant",
      model: message.model,
      content: frameBlocks(message.content),
      stop_reason: message.stopReason,
      stop_sequence: null,
      usage: toApiUsage(message.usage ?? noUsage),
    },
    parent_tool_use_id: null,
    ...(message.requestId === undefined ? {} : { request_id: message.requestId }),
    uuid: message.uuid,
    session_id: sessionId,
  };
}

/** The error that could not be recovered, as consumers expect it: an assistant message of no model. */
export function errorFrame(failure: ModelFailure, tried: Tried, uuid: string, sessionId: string): SdkAssistant {
  return {
    type: "assistant",
    message: {
      id: uuid,
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text: failureText(failure, tried) }],
      stop_reason: "stop_sequence",
      stop_sequence: null,
      usage: toApiUsage(noUsage),
    },
    parent_tool_use_id: null,
    error: sdkApiError(failure),
    uuid,
    session_id: sessionId,
  };
}

/** A request that failed is made again. Consumers know the public word; `reason` is for people. */
export function retryFrame(
  { type, attempt, delayMs }: RetryTransition,
  failure: ModelFailure,
  maxRetries = MAX_TRIES_PER_REQUEST - 1,
): Omit<SdkApiRetry, "uuid" | "session_id"> {
  const hasResponse = statusOf(failure) !== null || !("phase" in failure) || !beforeResponse.has(failure.phase);
  return {
    type: "system",
    subtype: "api_retry",
    attempt,
    // Who rides out an overload tries more often than is promised else.
    max_retries: Math.max(attempt, maxRetries),
    retry_delay_ms: delayMs,
    error_status: statusOf(failure),
    error: sdkApiError(failure),
    ...(hasResponse ? {} : { no_response: true }),
    reason: ("message" in failure ? failure.message : failure.type) + nextOf[type],
  };
}

const nextOf: Record<RetryTransition["type"], string> = {
  request_retry: "",
  cut_answer_continue: "; going on from what came",
  non_stream_retry: "; asking for the answer in one piece",
};

const beforeResponse: ReadonlySet<Phase> = new Set<Phase>(["connect", "headers"]);

export function userFrame(message: UserMessage, sessionId: string): SdkUser {
  return {
    type: "user",
    message: { role: "user", content: frameBlocks(message.content) },
    parent_tool_use_id: null,
    ...(message.isMeta ? { isSynthetic: true } : {}),
    ...(message.origin === undefined ? {} : { origin: message.origin }),
    ...(message.toolUseResult === undefined ? {} : { tool_use_result: message.toolUseResult }),
    uuid: message.uuid,
    session_id: sessionId,
  };
}

/** What a limit is called on the wire. */
export function rateLimitInfo({
  status,
  resetsAt,
  window,
  utilization,
  overage,
}: RateLimit): SdkRateLimit["rate_limit_info"] {
  return {
    status,
    ...(resetsAt === undefined ? {} : { resetsAt: seconds(resetsAt) }),
    ...(window === undefined ? {} : { rateLimitType: window }),
    ...(utilization === undefined ? {} : { utilization }),
    ...(overage === undefined ? {} : { overageStatus: overage.status }),
    ...(overage?.resetsAt === undefined ? {} : { overageResetsAt: seconds(overage.resetsAt) }),
  };
}

const seconds = (ms: number) => Math.round(ms / 1000);

/** Blocks of other kinds go out as they are: the type names those that a consumer can do something with. */
const frameBlocks = (content: readonly ContentBlock[]) => content.map(toApiBlock) as KnownApiBlock[];
