import type { Model, ModelLimits, ModelRequest } from "../model.ts";
import { checkRequest, invalidRequest, type Refusal } from "./check-request.ts";
import { whyUnexpected } from "./expectation.ts";
import { freshAnswerId } from "./fresh-id.ts";
import { findPlace, type Place, valuesAt } from "./place.ts";
import { type Answer, playAnswer, type Sleep } from "./play-answer.ts";
import type { Scenario } from "./scenario.ts";
import {
  SCRIPTED_LIMITS,
  SCRIPTED_MODEL_ID,
  SCRIPTED_PROVIDER,
  type Script,
  type ScriptStep,
  scriptOf,
} from "./script.ts";
import { smallScenarioModel } from "./small-scenario-model.ts";
import { answerOf } from "./step-answer.ts";

export type ScenarioModel = Model & { report(): ScenarioReport };

export type ScenarioReport = {
  requests: number;
  /** Steps neither played nor found in a history, by index. */
  unusedSteps: readonly number[];
  /** Why requests were refused as unexpected, in order. */
  failures: readonly string[];
};

export type ScenarioModelOptions = {
  /** For `delayMs`; default the real clock. */
  sleep?: Sleep;
  limits?: ModelLimits;
};

const MAX_REPORTED_FAILURES = 100;
/** Of a step's text in its label. */
const MAX_LABEL_CHARS = 40;

/**
 * A model that answers from a scenario.
 *
 * Which step it answers with is read from the request's messages alone (see `findPlace`), so the same request always gets
 * the same step. One thing cannot be read there, because it leaves no trace in a history: a fault, and an answer without
 * text and tool use. The model remembers how often it has played those. A fault gives way to its step's answer after
 * `times` times; a step without anything to keep gives way to the next step, if there is one.
 *
 * A request that breaks the API's rules, that no step is left for, or that is not as the step expects, fails as
 * `invalid_request` with what was wanted and what was found. With `strict: false` expectations are not looked at, and a
 * request beyond the last step is answered with a line that says so; no step counts as unused.
 */
export function scenarioModel(scenario: Scenario, options: ScenarioModelOptions = {}): ScenarioModel {
  const script = scriptOf(scenario);
  const plays = new Map<number, number>();
  const used = new Set<number>();
  const failures: string[] = [];
  const limits = options.limits ?? SCRIPTED_LIMITS;
  let requests = 0;

  function answerTo(request: ModelRequest): Answer & { id: string } {
    const broken = checkRequest(request, { id: SCRIPTED_MODEL_ID, limits });
    if (broken !== undefined) return refuse(broken);
    const place = findPlace(script, request.messages);
    for (const index of place.done) used.add(index);
    const step = stepAt(script, place, plays);
    if (step === undefined) return script.isStrict ? refuse(pastTheEnd(script)) : lastWord(script);
    const unexpected = whyUnexpected(script, step, place, request);
    if (unexpected !== undefined) return refuse(unexpected);

    const earlierPlays = plays.get(step.index) ?? 0;
    plays.set(step.index, earlierPlays + 1);
    used.add(step.index);
    const id = `msg_scripted_${step.index}${earlierPlays === 0 ? "" : `-${earlierPlays + 1}`}`;
    return { id, ...answerOf(step, valuesAt(place, step), request, earlierPlays) };
  }

  function refuse(failure: Refusal): Answer & { id: string } {
    if (failures.length < MAX_REPORTED_FAILURES) failures.push(failure.message);
    return { id: "msg_scripted_refused", blocks: [], failure };
  }

  return {
    id: SCRIPTED_MODEL_ID,
    provider: SCRIPTED_PROVIDER,
    limits,
    ...(scenario.smallModel ? { small: smallScenarioModel(scenario.smallModel, scenario.name) } : {}),
    async *stream(request, signal) {
      requests += 1;
      const answer = answerTo(request);
      const id = freshAnswerId(answer.id, request);
      yield* playAnswer(answer, { id, model: SCRIPTED_MODEL_ID, request, signal, sleep: options.sleep });
    },
    unusedSteps() {
      const last = Math.max(-1, ...used); // steps before it that left no trace count as done
      return script.isStrict ? script.steps.filter(({ index }) => index > last).map(stepLabel) : [];
    },
    report: () => ({
      requests,
      unusedSteps: script.steps.map((step) => step.index).filter((index) => !used.has(index)),
      failures: [...failures],
    }),
  };
}

function stepAt({ steps }: Script, place: Place, plays: ReadonlyMap<number, number>): ScriptStep | undefined {
  const isSpent = (step: ScriptStep) => !step.leavesTrace && (plays.get(step.index) ?? 0) >= (step.fault?.times ?? 1);
  const left = steps.slice(place.next);
  return left.find((step) => !isSpent(step)) ?? left.at(-1);
}

/** `steps[2] (Bash, Read)` or `steps[3] ("Done.")` */
function stepLabel({ index, toolUses, text }: ScriptStep): string {
  const isLong = text.length > MAX_LABEL_CHARS;
  const beginning = isLong ? `${text.slice(0, MAX_LABEL_CHARS).toWellFormed()}…` : text;
  const content = toolUses.length > 0 ? toolUses.map(({ name }) => name).join(", ") : JSON.stringify(beginning);
  return `steps[${index}] (${content})`;
}

function pastTheEnd(script: Script) {
  return invalidRequest(atTheEnd(script), ["add a step for this request, or set strict: false"]);
}

function lastWord(script: Script): Answer & { id: string } {
  return { id: "msg_scripted_end", blocks: [{ type: "text", text: atTheEnd(script) }] };
}

function atTheEnd({ name, steps }: Script): string {
  return `scenario ${name}: all ${steps.length} steps are in the history, and the model was asked again`;
}
