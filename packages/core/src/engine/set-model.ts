import { noUsage } from "../messages/message.ts";
import type { Model } from "../models/model.ts";
import { costUsd } from "../models/pricing.ts";
import { badOption } from "./check-options.ts";
import type { Session } from "./session.ts";

/** What cannot be priced cannot be held to a budget in dollars. @throws PawlError `bad_option`. */
export function refuseUnpriced(models: readonly Model[], maxBudgetUsd: number | undefined): void {
  const unpriced = models.find((model) => costUsd(model.id, noUsage) === null);
  if (maxBudgetUsd === undefined || unpriced === undefined) return;
  const fix = "use a model with a known price, or leave it out (taskBudget limits the tokens of any model)";
  throw badOption("maxBudgetUsd", `cannot be held: the price of the model ${unpriced.id} is not known; ${fix}`);
}

/** From the next turn on. @throws PawlError `unknown_model`, `missing_key`, `bad_option`; the model is then the one before. */
export async function setModel(session: Session, name: string): Promise<void> {
  const model = await session.config.resolveModel(name);
  refuseUnpriced([model], session.config.maxBudgetUsd);
  session.model = model;
}
