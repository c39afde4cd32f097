import type { ModelRequest } from "../model.ts";
import { invalidRequest, type Refusal } from "./check-request.ts";
import { type Place, textOfResult, valuesAt } from "./place.ts";
import { placeholdersIn } from "./placeholders.ts";
import type { Script, ScriptStep } from "./script.ts";

/** Characters of what was found that an error shows. */
const MAX_SHOWN_CHARS = 400;

/** Why the step cannot be played for this request; undefined when it can. */
export function whyUnexpected(
  script: Script,
  step: ScriptStep,
  place: Place,
  request: ModelRequest,
): Refusal | undefined {
  const where = `scenario ${script.name}, steps[${step.index}]`;
  const unmet = script.isStrict ? unmetExpectations(step, place, request) : [];
  if (unmet.length > 0) return invalidRequest(`${where}: not the request that was expected`, unmet);
  const values = valuesAt(place, step);
  const missing = placeholdersIn(step.answer).find((name) => script.names.has(name) && !Object.hasOwn(values, name));
  if (missing === undefined) return undefined;
  return invalidRequest(`${where}: no value for {{${missing}}}`, ["no tool result in the history matches its capture"]);
}

/** What of the step's expectations the request does not hold: one line each, wanted and found. */
function unmetExpectations(step: ScriptStep, place: Place, request: ModelRequest): string[] {
  const { lastUserText, lastResult, toolsInclude = [] } = step.expect ?? {};
  const unmet: string[] = [];
  if (lastUserText !== undefined && !place.lastUserText.includes(lastUserText)) {
    unmet.push(`the user's latest text should contain ${shown(lastUserText)}; it is ${shown(place.lastUserText)}`);
  }
  if (lastResult !== undefined) unmet.push(...unmetResult(lastResult, place.lastResult));
  const offered = request.tools.map((tool) => tool.name);
  const missing = toolsInclude.filter((name) => !offered.includes(name));
  if (missing.length > 0) {
    unmet.push(`the tools should include ${missing.join(", ")}; they are ${offered.join(", ") || "none"}`);
  }
  return unmet;
}

type Expected = NonNullable<NonNullable<ScriptStep["expect"]>["lastResult"]>;

function unmetResult({ contains, isError }: Expected, result: Place["lastResult"]): string[] {
  if (result === undefined) return ["there should be a tool result; the request has none"];
  const unmet: string[] = [];
  const text = textOfResult(result);
  if (contains !== undefined && !text.includes(contains)) {
    unmet.push(`the latest tool result should contain ${shown(contains)}; it is ${shown(text)}`);
  }
  const wasError = result.is_error ?? false;
  if (isError !== undefined && wasError !== isError) {
    const kind = (value: boolean) => (value ? "an error" : "no error");
    unmet.push(`the latest tool result should be ${kind(isError)}; it is ${kind(wasError)}: ${shown(text)}`);
  }
  return unmet;
}

function shown(text: string): string {
  const left = text.length - MAX_SHOWN_CHARS;
  return left <= 0
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, MAX_SHOWN_CHARS))} and ${left} more characters`;
}
