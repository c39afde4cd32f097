import { PawlError } from "../lib/error.ts";
import { smallModelId } from "../models/catalog.ts";
import type { Model } from "../models/model.ts";
import { isScripted } from "../models/resolve.ts";
import { envVar } from "../settings/env-var.ts";
import { refuseUnpriced } from "./set-model.ts";

type Wanted = {
  main: Model;
  /** What was asked for here and now: a name that cannot be used is an error. */
  option?: string | Model | undefined;
  env: Readonly<Record<string, string | undefined>>;
  resolve(name: string): Promise<Model>;
  maxBudgetUsd?: number | undefined;
};

type SmallModelChoice = { model?: Model; notices: string[] };

/**
 * The model for small questions: the option, what comes with the main model, a variable, or the catalogue's small one where the
 * main model is of its provider. None is no error: what needs one says so.
 */
export async function chooseSmallModel({
  main,
  option,
  env,
  resolve,
  maxBudgetUsd,
}: Wanted): Promise<SmallModelChoice> {
  if (option !== undefined) {
    const model = typeof option === "object" ? option : await resolve(option);
    refuseUnpriced([model], maxBudgetUsd);
    return { model, notices: [] };
  }
  const wanted = main.small ?? nameFor(main, env);
  if (wanted === undefined) return { notices: [] };
  try {
    const model = typeof wanted === "object" ? wanted : await resolve(wanted);
    refuseUnpriced([model], maxBudgetUsd);
    return { model, notices: [] };
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    const name = typeof wanted === "object" ? wanted.id : wanted;
    return { notices: [`The small model ${name} is left out: ${error.message}`] };
  }
}

/** A scripted run asks nobody else, unless it is told to. */
function nameFor({ provider }: Model, env: Wanted["env"]): string | undefined {
  const named = envVar(env, "SMALL_FAST_MODEL") ?? envVar(env, "DEFAULT_HAIKU_MODEL");
  if (provider === "scripted") return named !== undefined && isScripted(named) ? named : undefined;
  return named ?? (provider === "anthropic" ? smallModelId : undefined);
}
