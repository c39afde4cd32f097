import { OVERLOADS_BEFORE_FALLBACK } from "./bounds.ts";
import { type RecoveryStep, tried } from "./recovery-step.ts";

/** A model that is overloaded again and again, or refuses, gives way to the next one that was named. */
export const fallBack: RecoveryStep = (failure, state, { model, nextModel }) => {
  const isOverloaded = failure.type === "overloaded" && state.recovery.overloads + 1 >= OVERLOADS_BEFORE_FALLBACK;
  if (nextModel === undefined || !(isOverloaded || failure.type === "refused")) return undefined;
  const { outputLimit: _, ...others } = state; // the model's that is left
  return {
    transition: { type: "fallback_model", from: model.id, to: nextModel.id },
    action: { type: "none" },
    state: tried({ ...others, modelIndex: state.modelIndex + 1 }, { tries: 0, overloads: 0 }),
  };
};
