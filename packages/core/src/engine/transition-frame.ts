import type { ModelFailure } from "../models/failure.ts";
import { MAX_EMPTY_ANSWERS } from "../query/recovery/bounds.ts";
import type { Transition } from "../query/transition.ts";
import { retryFrame } from "./frames.ts";
import type { SdkApiRetry, SdkInformational } from "./sdk-message.ts";

type Bare<Message> = Omit<Message, "uuid" | "session_id">;

/** What eyes are told of a failure that the turn goes on after; undefined where it is not worth a word. */
export function transitionFrame(
  transition: Transition,
  failure: ModelFailure,
  maxRetries: number | undefined,
): Bare<SdkApiRetry> | Bare<SdkInformational> | undefined {
  if ("delayMs" in transition) return retryFrame(transition, failure, maxRetries);
  if (transition.type === "tool_left_out") {
    const content = `The tool ${transition.tool} is left out: the provider refuses it${saidBy(failure)}`;
    return { type: "system", subtype: "informational", content, level: "warning" };
  }
  if (transition.type === "empty_answer_retry") {
    const content = `The model gave an empty answer: asking again (${transition.attempt} of ${MAX_EMPTY_ANSWERS})`;
    return { type: "system", subtype: "informational", content, level: "notice" };
  }
  if (transition.type !== "fallback_model") return undefined;
  const content = `${transition.from} ${reasonOf(failure)}: asking ${transition.to} instead`;
  return { type: "system", subtype: "informational", content, level: "notice" };
}

const reasonOf = (failure: ModelFailure) => (failure.type === "refused" ? "refuses" : "is overloaded");

const saidBy = (failure: ModelFailure) => ("message" in failure ? `: ${failure.message}` : "");
