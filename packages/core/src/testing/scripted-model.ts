import type { StopReason, Usage } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { Model, ModelRequest } from "../models/model.ts";
import { withFreshIds } from "../models/scripted/fresh-id.ts";
import { type FunctionModelOptions, functionModel } from "../models/scripted/function-model.ts";
import type { Answer } from "../models/scripted/play-answer.ts";
import type { ScenarioBlock } from "../models/scripted/scenario.ts";
import { contentBlock } from "../models/scripted/script.ts";

/** One answer, or a part of one: its blocks in short form, and how it ends. */
export type ScriptedAnswer = Omit<Answer, "blocks"> & { blocks: readonly ScenarioBlock[] };

export type ScriptedModel = Model & {
  /** What was asked, in order, as it was when it was asked. */
  readonly requests: readonly ModelRequest[];
  /** `stream` by itself, to be passed where only the call is wanted. */
  readonly call: Model["stream"];
};

/**
 * A model that gives these answers one after another, whatever is asked; an array is one answer of several parts. Beyond
 * the last it fails as `invalid_request`. Use `scenarioModel` where sessions are resumed, forked or rewound.
 *
 * @example
 * const model = scriptedModel([[says("Let me look."), uses("Read", { file_path: "/a" })], says("Done.")]);
 */
export function scriptedModel(
  answers: readonly (ScriptedAnswer | readonly ScriptedAnswer[])[],
  options?: FunctionModelOptions,
): ScriptedModel {
  const ids = new Set<string>();
  const whole = answers.map((parts, index) => wholeAnswer([parts].flat(), index, ids));
  const requests: ModelRequest[] = [];
  const model = functionModel((request, index) => {
    const answer = whole[index] ?? noneLeft(whole.length);
    return { ...answer, blocks: withFreshIds(answer.blocks, request) };
  }, options);
  const call: Model["stream"] = (request, signal) => {
    requests.push({ ...request, messages: [...request.messages] });
    return model.stream(request, signal);
  };
  return { ...model, requests, call, stream: call };
}

export function says(text: string, ending: { stop?: StopReason; usage?: Partial<Usage> } = {}): ScriptedAnswer {
  return { blocks: [{ text }], ...ending };
}

/** Without `id` the call gets one of its own: `toolu_<answer>_<block>`, counted from 0. Either is changed where the history has it. */
export function uses(tool: string, input: Record<string, unknown> = {}, id?: string): ScriptedAnswer {
  return { blocks: [{ tool, input, ...(id === undefined ? {} : { id }) }] };
}

export function thinks(thinking: string): ScriptedAnswer {
  return { blocks: [{ thinking }] };
}

/** As the last part: what came before it is the partial answer. */
export function fails(failure: ModelFailure): ScriptedAnswer {
  return { blocks: [], failure };
}

/** As the last part: nothing more comes until the request is aborted. */
export function stalls(): ScriptedAnswer {
  return { blocks: [], stalls: true };
}

function wholeAnswer(parts: readonly ScriptedAnswer[], index: number, ids: Set<string>): Answer {
  const blocks = parts.flatMap((part) => part.blocks);
  let ending: Omit<Answer, "blocks"> = {};
  for (const { blocks: _blocks, ...own } of parts) ending = { ...ending, ...own };
  return {
    ...ending,
    blocks: blocks.map((block, position) => contentBlock(block, `toolu_${index}_${position}`, ids)),
  };
}

function noneLeft(count: number): Answer {
  const message = `the scripted model has ${count} answers and was asked for one more; add an answer`;
  return { blocks: [], failure: { type: "invalid_request", status: 400, message } };
}
