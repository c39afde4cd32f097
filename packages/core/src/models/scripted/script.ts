import type { ContentBlock, ModelId, ToolUseBlock, ToolUseId } from "../../messages/message.ts";
import { isToolUse, textOf } from "../../messages/message.ts";
import type { ModelLimits } from "../model.ts";
import { freshId } from "./fresh-id.ts";
import type { Scenario, ScenarioBlock, ScenarioStep } from "./scenario.ts";

/** A scenario made ready to be played: its blocks in the engine's form, every tool use with an id of its own. */
export type Script = {
  name: string;
  isStrict: boolean;
  steps: readonly ScriptStep[];
  /** What some step captures. */
  names: ReadonlySet<string>;
};

export type ScriptStep = Omit<ScenarioStep, "answer" | "capture"> & {
  index: number;
  captures: Captures;
  /** With `{{name}}` still in its texts and inputs. */
  answer: readonly ContentBlock[];
  toolUses: readonly ToolUseBlock[];
  text: string;
  /** Whether the answer stays in the history. One that holds nothing, or only thinking, is thrown away and asked for again. */
  leavesTrace: boolean;
};

/** By name: what finds the value. */
export type Captures = ReadonlyMap<string, RegExp>;

export const SCRIPTED_PROVIDER = "scripted";
export const SCRIPTED_MODEL_ID = "scripted" as ModelId;
export const SCRIPTED_LIMITS: ModelLimits = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };

export function scriptOf(scenario: Scenario): Script {
  const ids = new Set<string>();
  return {
    name: scenario.name,
    isStrict: scenario.strict ?? true,
    steps: scenario.steps.map((step, index) => scriptStep(step, index, ids)),
    names: new Set(scenario.steps.flatMap((step) => Object.keys(step.capture ?? {}))),
  };
}

function scriptStep({ capture = {}, ...step }: ScenarioStep, index: number, ids: Set<string>): ScriptStep {
  const answer = step.answer.map((block, position) => contentBlock(block, `toolu_${index}_${position}`, ids));
  const toolUses = answer.filter(isToolUse);
  const text = textOf(answer).trim();
  const captures = new Map(Object.entries(capture).map(([name, source]) => [name, new RegExp(source, "m")]));
  return { ...step, index, captures, answer, toolUses, text, leavesTrace: toolUses.length > 0 || text !== "" };
}

/** The block in the engine's form. A tool use gets its own id, or `id`; made unique, and noted in `ids`. */
export function contentBlock(block: ScenarioBlock, id: string, ids: Set<string>): ContentBlock {
  if ("text" in block) return { type: "text", text: block.text };
  if ("thinking" in block) {
    const provenance = { provider: SCRIPTED_PROVIDER, model: SCRIPTED_MODEL_ID };
    return { type: "thinking", thinking: block.thinking, signature: "scripted", provenance };
  }
  const unique = freshId(block.id ?? id, ids);
  ids.add(unique);
  return { type: "tool_use", id: unique as ToolUseId, name: block.tool, input: block.input };
}
