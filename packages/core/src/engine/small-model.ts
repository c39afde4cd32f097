import { PawlError } from "../lib/error.ts";
import { textOf } from "../messages/message.ts";
import { endingOnAbort } from "../models/liveness.ts";
import type { Model, ModelRequest } from "../models/model.ts";
import type { WholeAnswer } from "../models/whole-answer.ts";
import type { QueryDeps } from "../query/deps.ts";
import type { AskSmallModel, SmallModelQuestion } from "../tools/tool.ts";
import { isBudgetSpent, type SideDeps, sideAnswer } from "./side-request.ts";

/** All tries of one question together. Milliseconds. */
const QUESTION_TIMEOUT_MS = 60_000;

/**
 * Asks `model` one question at a time or many beside each other. None of it reaches the conversation; each response is in the
 * ledger under `side` and counts for the budget in dollars, which ends the asking when it is spent.
 */
export function smallModelAsker(model: Model, deps: SideDeps): AskSmallModel {
  const asked = endingOnAbort(model);
  return async (question) => {
    if (isBudgetSpent(deps)) {
      throw new PawlError("small_model", `The small model is not asked: the budget of $${deps.maxBudgetUsd} is spent`);
    }
    const bounds = { signal: question.signal, timeoutMs: QUESTION_TIMEOUT_MS };
    const answer = await sideAnswer(asked, requestOf(question, model, deps.clock.uuid), bounds, deps);
    return textIn(answer, model, question);
  };
}

function requestOf({ system, prompt, maxTokens }: SmallModelQuestion, model: Model, uuid: QueryDeps["uuid"]) {
  return {
    tools: [],
    system: system === "" ? [] : [system],
    messages: [{ role: "user", uuid: uuid(), content: [{ type: "text", text: prompt }] }],
    maxTokens: Math.min(maxTokens, model.limits.maxOutputTokens),
    thinking: { type: "disabled" },
    skipCacheWrite: true,
  } satisfies ModelRequest;
}

function textIn({ blocks, failure }: WholeAnswer, { id }: Model, { signal }: SmallModelQuestion): string {
  if (signal.aborted) throw new PawlError("aborted", "The question to the small model was aborted");
  const text = textOf(blocks).trim();
  if (failure === undefined && text !== "") return text;
  throw new PawlError("small_model", `The small model ${id} gave no answer: ${reasonOf(failure)}`);
}

function reasonOf(failure: WholeAnswer["failure"]): string {
  if (failure === undefined) return "it held no text";
  return failure.type === "aborted" ? `not within ${QUESTION_TIMEOUT_MS / 1_000} s` : failure.message;
}
