import type { ContentBlock, ModelId } from "../../messages/message.ts";
import type { Model, ModelLimits, ModelRequest } from "../model.ts";
import { checkRequest } from "./check-request.ts";
import { freshAnswerId } from "./fresh-id.ts";
import { type Answer, playAnswer, type Sleep } from "./play-answer.ts";
import { SCRIPTED_LIMITS, SCRIPTED_MODEL_ID, SCRIPTED_PROVIDER } from "./script.ts";

export type FunctionModelOptions = {
  id?: string;
  provider?: string;
  limits?: ModelLimits;
  /** Whether a request that breaks the API's rules is refused; default yes. */
  isChecked?: boolean;
  /** For `delayMs`; default the real clock. */
  sleep?: Sleep;
};

/** The answer to a request, or only its blocks. */
export type Answering = (
  request: ModelRequest,
  index: number,
) => Answer | readonly ContentBlock[] | Promise<Answer | readonly ContentBlock[]>;

/**
 * A model that answers by a function: for tests. A request that breaks the API's rules fails as `invalid_request` and the
 * function is not asked; `index` counts the others from 0. What the function throws, `stream` throws.
 *
 * @example
 * const model = functionModel((request) => [{ type: "text", text: `${request.messages.length} messages` }]);
 */
export function functionModel(answering: Answering, options: FunctionModelOptions = {}): Model {
  const id = (options.id ?? SCRIPTED_MODEL_ID) as ModelId;
  const limits = options.limits ?? SCRIPTED_LIMITS;
  let requests = 0;
  return {
    id,
    provider: options.provider ?? SCRIPTED_PROVIDER,
    limits,
    async *stream(request, signal) {
      const index = requests;
      const failure = options.isChecked === false ? undefined : checkRequest(request, { id, limits });
      if (failure === undefined) requests += 1;
      const answer = failure === undefined ? await answering(request, index) : { blocks: [], failure };
      const playing = {
        id: freshAnswerId(`msg_function_${index}`, request),
        model: id,
        request,
        signal,
        sleep: options.sleep,
      };
      yield* playAnswer(isBlocks(answer) ? { blocks: answer } : answer, playing);
    },
  };
}

function isBlocks(answer: Answer | readonly ContentBlock[]): answer is readonly ContentBlock[] {
  return Array.isArray(answer);
}
