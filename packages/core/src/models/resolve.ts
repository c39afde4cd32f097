import { messageOf, PawlError } from "../lib/error.ts";
import type { Connections } from "../lib/http.ts";
import { onFirstCall } from "../lib/on-first-call.ts";
import type { Deadlines } from "./anthropic/deadlines.ts";
import type { Credential } from "./anthropic/headers.ts";
import { modelInfo, resolveAlias } from "./catalog.ts";
import type { Model } from "./model.ts";
import { parseScenario } from "./scripted/scenario.ts";
import type { ScenarioModel, ScenarioModelOptions } from "./scripted/scripted-model.ts";

const scenarioModel = onFirstCall(async () => (await import("./scripted/scripted-model.ts")).scenarioModel);

type Environment = Readonly<Record<string, string | undefined>>;

type ModelSources = {
  /** The process's variables, the settings' laid over them. */
  env: Environment;
  /** Gives the text of a scenario file. */
  readFile(path: string): Promise<string>;
  deadlines?: Partial<Deadlines>;
  /** Asked for the key when no variable holds one. */
  keyHelper?: Credential;
};

export type ModelResolver = {
  /**
   * Makes a model from its name: `scripted:FILE`, an alias, or an id of the Anthropic API.
   *
   * @throws PawlError `unknown_model`, `missing_key`, `scenario_invalid`, `bad_option`.
   */
  resolve(name: string): Promise<Model>;
  /** Closes the connections that its models share. */
  close(): Promise<void>;
};

export function modelResolver(sources: ModelSources): ModelResolver {
  const { env, readFile, deadlines } = sources;
  const opened = new Map<string, Promise<Connections>>();
  return {
    async resolve(name) {
      if (isScripted(name)) return resolveScripted(name, readFile);
      const id = resolveAlias(name);
      const credentials = credentialsOf(sources);
      if (credentials === undefined) {
        const fix = "set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or play a scenario with --model scripted:FILE";
        throw new PawlError("missing_key", `No API key for the model ${id}: ${fix}.`);
      }
      // Loaded when it is needed: a scripted session never pays for it.
      const [{ anthropicModel }, { connectTo }] = await Promise.all([
        import("./anthropic/anthropic-model.ts"),
        import("../lib/http.ts"),
      ]);
      const connect: typeof connectTo = (origin, options) => {
        const shared = opened.get(origin.origin) ?? connectTo(origin, options);
        opened.set(origin.origin, shared);
        return shared;
      };
      const { apiKeySource: _, ...given } = credentials;
      return anthropicModel({ id, info: modelInfo(id), env, connect, ...given, ...(deadlines ? { deadlines } : {}) });
    },
    async close() {
      for (const connections of await Promise.allSettled(opened.values())) {
        if (connections.status === "fulfilled") connections.value.close();
      }
    },
  };
}

type GivenCredentials = {
  apiKeySource: string;
  apiKey?: Credential;
  authToken?: Credential;
  credentialSetting?: string;
};

/** A variable wins over the helper, whose output is sent both as key and as token. */
function credentialsOf({ env, keyHelper }: Pick<ModelSources, "env" | "keyHelper">): GivenCredentials | undefined {
  const apiKey = env["ANTHROPIC_API_KEY"];
  const authToken = env["ANTHROPIC_AUTH_TOKEN"];
  if (apiKey || authToken) {
    const given = { ...(apiKey ? { apiKey } : {}), ...(authToken ? { authToken } : {}) };
    return { apiKeySource: apiKey ? "ANTHROPIC_API_KEY" : "none", ...given };
  }
  if (keyHelper === undefined) return undefined;
  const credentialSetting = "apiKeyHelper in your settings";
  return { apiKeySource: "apiKeyHelper", apiKey: keyHelper, authToken: keyHelper, credentialSetting };
}

/** Where the key comes from, in the public words. */
export function apiKeySource(model: Model, sources: Pick<ModelSources, "env" | "keyHelper">): string {
  return model.provider === "anthropic" ? (credentialsOf(sources)?.apiKeySource ?? "none") : "none";
}

/** What is said of a model that the catalogue does not have. */
export function unknownModelNotices(model: Model): string[] {
  if (model.provider !== "anthropic" || modelInfo(model.id).isKnown) return [];
  const { contextTokens, maxOutputTokens } = model.limits;
  return [
    `The model ${model.id} is not in the catalogue: a window of ${contextTokens} and ${maxOutputTokens} output tokens are assumed, and its price is unknown.`,
  ];
}

const SCRIPTED_PREFIX = "scripted:";

export const isScripted = (spec: string): boolean => spec.startsWith(SCRIPTED_PREFIX);

/**
 * The model that `scripted:FILE` names. `readFile` gives the text of the file, so that the disk stays outside.
 *
 * @throws PawlError `scenario_invalid` when the file cannot be read or is no scenario.
 */
export async function resolveScripted(
  spec: string,
  readFile: (path: string) => Promise<string>,
  options?: ScenarioModelOptions,
): Promise<ScenarioModel> {
  const path = spec.slice(SCRIPTED_PREFIX.length);
  if (!isScripted(spec) || path === "") {
    throw new PawlError(
      "scenario_invalid",
      `"${spec}" names no scenario; write scripted:FILE with a YAML or JSON file`,
    );
  }
  const text = await readFile(path).catch((error: unknown) => {
    const message = `${spec}: the scenario cannot be read: ${messageOf(error).replace(/\.$/, "")}; give the path of a YAML or JSON file`;
    throw new PawlError("scenario_invalid", message, { cause: error });
  });
  return scenarioModel(await parseScenario(text, path), options);
}
