import type { ModelInfo } from "../catalog.ts";
import type { Effort, ThinkingConfig } from "../model.ts";

export type ThinkingParam = { type: "adaptive" } | { type: "disabled" } | { type: "enabled"; budget_tokens: number };

type ThinkingFields = { thinking?: ThinkingParam; effort?: Effort };

const MIN_BUDGET_TOKENS = 1_024;

/** For a model that takes only a budget: what an effort is worth in tokens. */
const budgetOfEffort: Record<Effort, number> = { low: 4_096, medium: 8_192, high: 16_384, xhigh: 32_768, max: 65_536 };

type About = Pick<ModelInfo, "thinking" | "isKnown" | "isThinkingAlwaysOn" | "refusesThinkingBudget">;

/** What was asked for, in the form that the model accepts; left out where it accepts none. */
export function thinkingFields(config: ThinkingConfig | undefined, info: About, maxTokens: number): ThinkingFields {
  const takesAdaptive = info.thinking !== "budget";
  if (config === undefined) return takesAdaptive && info.isKnown ? { thinking: { type: "adaptive" } } : {};
  switch (config.type) {
    case "disabled":
      return info.isThinkingAlwaysOn ? {} : { thinking: { type: "disabled" } };
    case "adaptive": {
      const { effort } = config;
      if (takesAdaptive) return { thinking: { type: "adaptive" }, ...(effort === undefined ? {} : { effort }) };
      return effort === undefined ? {} : budget(budgetOfEffort[effort], maxTokens);
    }
    case "enabled": {
      const takesBudget = info.thinking !== "adaptive" || (!info.isKnown && !info.refusesThinkingBudget);
      return takesBudget ? budget(config.budgetTokens, maxTokens) : { thinking: { type: "adaptive" } };
    }
    default:
      return config satisfies never;
  }
}

/** The budget counts as output, so it must leave some of it. */
function budget(tokens: number, maxTokens: number): ThinkingFields {
  const budget_tokens = Math.min(tokens, maxTokens - 1);
  return budget_tokens < MIN_BUDGET_TOKENS ? {} : { thinking: { type: "enabled", budget_tokens } };
}
