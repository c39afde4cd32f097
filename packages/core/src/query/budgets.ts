import type { QueryConfig } from "./config.ts";
import type { Spent } from "./deps.ts";
import type { QueryState } from "./state.ts";
import { continueAttempt, decideBudget, decideCost } from "./token-budget.ts";
import type { Terminal } from "./transition.ts";

type Budgets = Pick<QueryConfig, "maxBudgetUsd" | "taskBudget">;

/** The end of a turn whose money is spent: asked before each request, and after each response that would end the turn anyway. */
export function costTerminal({ maxBudgetUsd }: Budgets, { costUsd }: Spent): Terminal | undefined {
  if (maxBudgetUsd === undefined || decideCost(costUsd, maxBudgetUsd, true) !== "stop") return undefined;
  const isPriceUnknown = costUsd === null;
  return { reason: "budget_exceeded", limitUsd: maxBudgetUsd, ...(isPriceUnknown ? { isPriceUnknown } : {}) };
}

/** The end of a turn that may not send another request. A turn that ends by itself is not late for its task budget. */
export function budgetTerminal(config: Budgets, spent: Spent): Terminal | undefined {
  const { taskBudget } = config;
  if (taskBudget !== undefined && decideBudget(spent.tokens, taskBudget, true) === "stop") {
    return { reason: "budget_exceeded", limitTokens: taskBudget };
  }
  return costTerminal(config, spent);
}

/** Which budgets are nearly used, each told once in a turn, and the state that remembers it. */
export function nearlyUsed(
  state: QueryState,
  { maxBudgetUsd, taskBudget }: Budgets,
  spent: Spent,
): { used: string[]; warned: QueryState["warned"] } {
  const ofCost =
    maxBudgetUsd !== undefined && decideCost(spent.costUsd, maxBudgetUsd, state.warned.ofCost) === "warn_and_continue";
  const ofTokens =
    taskBudget !== undefined && decideBudget(spent.tokens, taskBudget, state.warned.ofTokens) === "warn_and_continue";
  return {
    used: [
      ...(ofCost ? [`More than nine tenths of the budget of $${maxBudgetUsd} are used`] : []),
      ...(ofTokens ? [`More than nine tenths of this task's budget of ${taskBudget} tokens are used`] : []),
    ],
    warned: { ofCost: state.warned.ofCost || ofCost, ofTokens: state.warned.ofTokens || ofTokens },
  };
}

/** What the model is told of a budget that is nearly used. */
export const budgetWarning = (used: string) =>
  `${used}, and at the limit the work stops where it is. Finish what matters most now, then say what is done and what is left.`;

/** Which time a model that has ended is asked to go on with its task; undefined when it may end. */
export function budgetContinue(
  { budgetContinues }: QueryState,
  { taskBudget }: Budgets,
  { tokens }: Spent,
  hasOpenWork: boolean,
): number | undefined {
  if (taskBudget === undefined) return undefined;
  return continueAttempt({ usedTokens: tokens, taskBudget, hasOpenWork, continues: budgetContinues });
}

export const GO_ON_NOTE =
  "Your to-do list has items that are not done, and most of this task's token budget is left. Go on with them. Take off the list what is no longer to be done, and say why.";
