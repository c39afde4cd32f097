import { PawlError } from "../lib/error.ts";
import { defaultModelId, resolveAlias } from "../models/catalog.ts";
import { isScripted } from "../models/resolve.ts";
import { envVarNamed } from "../settings/env-var.ts";
import type { Settings, Sourced } from "../settings/settings.ts";
import { whereOf } from "../settings/where-of.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A model that is asked for, and by what: `Option model`, a variable, or a settings file and line. */
export type ModelChoice<Chosen> = { chosen: Chosen; from: string };

type Choices<Chosen> = {
  option: Chosen | undefined;
  /** The process's variables, the settings' laid over them. */
  env: Env;
  /** The one that a stored session asked last. */
  lastModel: string | undefined;
  settings: Settings;
};

/** The model of a session; the first that names one decides. */
export function chosenModel<Chosen>(choices: Choices<Chosen>): ModelChoice<Chosen | string> {
  const { option, env, lastModel, settings } = choices;
  if (option !== undefined) return { chosen: option, from: "Option model" };
  const variable = variableChoice(env, settings);
  if (variable !== undefined) return variable;
  if (lastModel !== undefined) return { chosen: lastModel, from: "The stored session" };
  if (settings.model !== undefined) return { chosen: settings.model.value, from: whereOf(settings.model) };
  return { chosen: defaultModelId, from: "The default" };
}

function variableChoice(env: Env, settings: Settings): ModelChoice<string> | undefined {
  const variable = envVarNamed(env, "MODEL");
  if (variable === undefined) return undefined;
  const setting = settings.env[variable.name];
  return {
    chosen: variable.value,
    from: setting === undefined ? variable.name : `${variable.name} (${whereOf(setting)})`,
  };
}

/** Throws what was thrown; of a name that is not known it says also what names it. */
export const withOrigin =
  (from: string) =>
  (error: unknown): never => {
    if (!(error instanceof PawlError) || error.code !== "unknown_model") throw error;
    throw new PawlError(error.code, `${error.message}. ${from} names it.`, { cause: error });
  };

/** Names of models in variables and settings that no session could use: where each stands, and what to write. */
export function modelFaults(env: Env, settings: Settings): string[] {
  const variable = variableChoice(env, settings);
  const { model } = settings;
  return [
    ...(variable === undefined ? [] : faultOf(variable)),
    ...(model === undefined ? [] : faultOf({ chosen: model.value, from: whereOf(model) })),
    ...namesIn(settings.other["fallbackModel"]).flatMap(faultOf),
  ];
}

const namesIn = (setting: Sourced<unknown> | undefined): ModelChoice<string>[] =>
  [setting?.value ?? []]
    .flat()
    .flatMap((name: unknown) =>
      setting !== undefined && typeof name === "string"
        ? [{ chosen: name, from: `${whereOf(setting)}: fallbackModel` }]
        : [],
    );

function faultOf({ chosen, from }: ModelChoice<string>): string[] {
  if (isScripted(chosen)) return [];
  try {
    resolveAlias(chosen);
    return [];
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return [`${from}: ${error.message}`];
  }
}
