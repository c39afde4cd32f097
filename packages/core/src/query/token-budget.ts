/** What a budget says to going on. */
type BudgetDecision = "continue" | "warn_and_continue" | "stop";

/** The model is told once that so much of a budget is used. */
const WARN_AT_PERCENT = 90;
/** With more than this used the model knows best whether it has ended too early. */
const GO_ON_BELOW_PERCENT = 50;
/** Times in one turn that the model is asked to go on. */
export const MAX_BUDGET_CONTINUES = 3;

export function decideBudget(used: number, limit: number, hasWarned: boolean): BudgetDecision {
  if (used >= limit) return "stop";
  return !hasWarned && used * 100 >= limit * WARN_AT_PERCENT ? "warn_and_continue" : "continue";
}

/** Sums of fractions of a dollar meet a limit exactly when they are compared in whole billionths. */
const UNITS_PER_DOLLAR = 1_000_000_000;

/** As `decideBudget`. What cannot be counted (`null`) cannot be held to a limit. */
export function decideCost(spentUsd: number | null, limitUsd: number, hasWarned: boolean): BudgetDecision {
  if (spentUsd === null) return "stop";
  return decideBudget(Math.round(spentUsd * UNITS_PER_DOLLAR), Math.round(limitUsd * UNITS_PER_DOLLAR), hasWarned);
}

type EarlyEnd = {
  usedTokens: number;
  taskBudget: number;
  /** What this turn put on its to-do list is not done. */
  hasOpenWork: boolean;
  /** Times that this turn was asked to go on. */
  continues: number;
};

/**
 * Which time the model is asked to go on; undefined when it may end. A budget alone is no reason to work on: it is one when the
 * model leaves work open that it set itself, with most of its tokens unused.
 */
export function continueAttempt({ usedTokens, taskBudget, hasOpenWork, continues }: EarlyEnd): number | undefined {
  const isEarly = hasOpenWork && usedTokens * 100 < taskBudget * GO_ON_BELOW_PERCENT;
  return isEarly && continues < MAX_BUDGET_CONTINUES ? continues + 1 : undefined;
}
