import { type ModelId, textOf } from "../../messages/message.ts";
import type { Model, ModelRequest } from "../model.ts";
import { checkRequest, invalidRequest } from "./check-request.ts";
import { type Answer, playAnswer } from "./play-answer.ts";
import type { SmallModelAnswer } from "./scenario.ts";
import { SCRIPTED_LIMITS, SCRIPTED_PROVIDER } from "./script.ts";

const SMALL_MODEL_ID = "scripted-small" as ModelId;
/** Of a question, in the error for one that has no answer. */
const MAX_SHOWN_CHARS = 200;

/** The small model of a scenario: the same question always gets the same answer, so that background work needs no order. */
export function smallScenarioModel(answers: readonly SmallModelAnswer[], scenarioName: string): Model {
  let requests = 0;
  const model = { id: SMALL_MODEL_ID, provider: SCRIPTED_PROVIDER, limits: SCRIPTED_LIMITS };
  return {
    ...model,
    async *stream(request, signal) {
      const failure = checkRequest(request, model);
      const answer = failure ? { blocks: [], failure } : answerTo(request, answers, scenarioName);
      yield* playAnswer(answer, { id: `msg_scripted_small_${requests++}`, model: SMALL_MODEL_ID, request, signal });
    },
  };
}

function answerTo({ system, messages }: ModelRequest, answers: readonly SmallModelAnswer[], name: string): Answer {
  const asked = messages.map(({ content }) => textOf(content)).join("\n");
  const question = [...system, asked].join("\n");
  const found = answers.find(({ contains = "" }) => question.includes(contains));
  if (found !== undefined) return { blocks: [{ type: "text", text: found.answer }] };
  const failure = invalidRequest(`scenario ${name}: no answer of smallModel is for this question`, [
    `"${asked.slice(0, MAX_SHOWN_CHARS).toWellFormed()}"`,
    "add one whose `contains` is a part of it, or one without `contains`",
  ]);
  return { blocks: [], failure };
}
