import { PawlError } from "../lib/error.ts";
import type { Model } from "../models/model.ts";

type FallbackModels = { models: Model[]; notices: string[] };

type Wanted = {
  main: Model;
  /** What was asked for here and now: a name that cannot be used is an error. */
  options?: readonly (string | Model)[] | undefined;
  /** Else what the settings say: a name that cannot be used is left out and told. */
  settings: readonly string[];
  resolve(name: string): Promise<Model>;
};

/** The models to fall back to, each once and none that is asked anyway. */
export async function fallbackModels({ main, options, settings, resolve }: Wanted): Promise<FallbackModels> {
  const models: Model[] = [];
  const notices: string[] = [];
  for (const named of options ?? settings) {
    const model = typeof named === "object" ? named : await resolve(named).catch(leftOut);
    if (model === undefined) continue;
    if ([main, ...models].every(({ id }) => id !== model.id)) models.push(model);
    else notices.push(`The fallback model ${model.id} is left out: it is asked before; name another one.`);
  }
  return { models, notices };

  function leftOut(error: unknown): undefined {
    if (options !== undefined || !(error instanceof PawlError)) throw error;
    notices.push(`fallbackModel of the settings is left out: ${error.message}`);
  }
}
