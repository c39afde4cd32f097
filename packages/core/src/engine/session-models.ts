import { resolve as resolvePath } from "node:path";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { Model } from "../models/model.ts";
import { apiKeySource, type ModelResolver, modelResolver, unknownModelNotices } from "../models/resolve.ts";
import type { Settings } from "../settings/settings.ts";
import type { Shell } from "../shell/shell.ts";
import { apiKeyHelper } from "./api-key-helper.ts";
import { chooseSmallModel } from "./choose-small-model.ts";
import { chosenModel, withOrigin } from "./chosen-model.ts";
import { fallbackModels } from "./fallback-models.ts";
import { type ModelSettings, modelSettings } from "./model-settings.ts";
import type { EngineOptions } from "./options.ts";
import { refuseUnpriced } from "./set-model.ts";

/** A scenario file may be this big. Bytes. */
const MAX_SCENARIO_BYTES = 50 * 1024 * 1024;

/** The models that a session asks, and how they are reached. */
type SessionModels = {
  main: Model;
  /** Asked in order when `main` is overloaded or refuses. */
  fallbacks: readonly Model[];
  /** Asked small questions beside the conversation. */
  small?: Model;
  resolver: ModelResolver;
  /** Where the key for `main` comes from. */
  apiKeySource: string;
  /** Makes the next request ask the key helper again; left out without one. */
  refreshCredentials?: () => Promise<boolean>;
  /** Takes whom to tell that the key helper is waited for; left out without one. */
  onKeyWait?: (listener: (text: string) => void) => void;
  retrying: Pick<ModelSettings, "maxRetries" | "streamCutRecovery">;
  /** What was left out, and why. */
  notices: readonly string[];
};

type Wanted = {
  options: EngineOptions;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  /** The one that a stored session asked last. */
  lastModel: string | undefined;
  cwd: string;
  home: string;
  files: Pick<WorkspaceFiles, "readText">;
  shell: Pick<Shell, "run">;
};

/** @throws PawlError `unknown_model`, `missing_key`, `scenario_invalid`, `bad_option`. */
export async function sessionModels(wanted: Wanted): Promise<SessionModels> {
  const { options, env, settings, lastModel, cwd, home, files, shell } = wanted;
  const { deadlines, fallbackNames, notices, keyHelperTtlMs, ...retrying } = modelSettings(env, settings);
  const helper = settings.apiKeyHelper && apiKeyHelper(settings.apiKeyHelper.value, shell, home, keyHelperTtlMs);
  const readFile = async (path: string) => {
    const bounds = { signal: new AbortController().signal, maxBytes: MAX_SCENARIO_BYTES };
    return (await files.readText(resolvePath(cwd, path), bounds)).text;
  };
  const sources = { env, readFile, deadlines, ...(helper && { keyHelper: helper.key }) };
  const resolver = modelResolver(sources);
  const { resolve } = resolver;

  const { chosen, from } = chosenModel({ option: options.model, env, lastModel, settings });
  const main = typeof chosen === "object" ? chosen : await resolve(chosen).catch(withOrigin(from));
  const fallbacks = await fallbackModels({ main, options: options.fallbackModels, settings: fallbackNames, resolve });
  const asked = [main, ...fallbacks.models];
  const { smallModel: option, maxBudgetUsd } = options;
  refuseUnpriced(asked, maxBudgetUsd);
  const small = await chooseSmallModel({ main, option, env, resolve, maxBudgetUsd });
  return {
    main,
    fallbacks: fallbacks.models,
    ...(small.model && { small: small.model }),
    resolver,
    apiKeySource: apiKeySource(main, sources),
    ...(helper && {
      onKeyWait: helper.onWait,
      async refreshCredentials() {
        helper.forget();
        return true;
      },
    }),
    retrying,
    notices: [...notices, ...asked.flatMap(unknownModelNotices), ...fallbacks.notices, ...small.notices],
  };
}
