import { envVar } from "../settings/env-var.ts";
import { findShell } from "../shell/find-shell.ts";
import type { BuiltinToolOptions } from "../tools/builtin/builtin-tools.ts";
import type { SearchSettings } from "../tools/builtin/web-search.ts";
import { badOption } from "./check-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Public names that have no prefix of their own. Other programs' variables must not be taken for ours. */
const prefixless: ReadonlySet<string> = new Set([
  "BASH_DEFAULT_TIMEOUT_MS",
  "BASH_MAX_TIMEOUT_MS",
  "BASH_MAX_OUTPUT_LENGTH",
  "MAX_STRUCTURED_OUTPUT_RETRIES",
  "API_TIMEOUT_MS",
]);

/** A whole number from a variable, by its name without prefix. @throws PawlError `bad_option`. */
export function wholeNumber(env: Environment, name: string): number | undefined {
  const text = envVar(env, name) ?? (prefixless.has(name) ? env[name] : undefined);
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badOption(`PAWL_${name}`, `is "${text}"; give a whole number`);
}

const isOn = (value = ""): boolean => /^(?:1|true|yes|on)$/i.test(value);

/** The limits of built-in tools that the environment sets. @throws PawlError `bad_option`. */
export function toolSettings(env: Environment): BuiltinToolOptions {
  const defaultTimeoutMs = wholeNumber(env, "BASH_DEFAULT_TIMEOUT_MS");
  const maxTimeoutMs = wholeNumber(env, "BASH_MAX_TIMEOUT_MS");
  const maxOutputChars = wholeNumber(env, "BASH_MAX_OUTPUT_LENGTH");
  const maxReadTokens = wholeNumber(env, "FILE_READ_MAX_OUTPUT_TOKENS");
  const shell = findShell(envVar(env, "SHELL"), env);
  return {
    bash: {
      ...(defaultTimeoutMs === undefined ? {} : { defaultTimeoutMs }),
      ...(maxTimeoutMs === undefined ? {} : { maxTimeoutMs }),
      ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
      noBackground: isOn(envVar(env, "DISABLE_BACKGROUND_TASKS")),
      keepsStartCwd: isOn(envVar(env, "BASH_MAINTAIN_PROJECT_WORKING_DIR")),
      ...("path" in shell ? { shell: shell.path } : {}),
    },
    ...(maxReadTokens === undefined ? {} : { maxReadTokens }),
    webSearch: searchSettings(env),
    webFetch: { env, privateHosts: listed(envVar(env, "WEB_FETCH_PRIVATE_HOSTS")) },
    globNoIgnore: envVar(env, "GLOB_NO_IGNORE") === "true",
  };
}

function searchSettings(env: Environment): SearchSettings {
  const url = envVar(env, "SEARCH_URL");
  const key = env["PAWL_SEARCH_KEY"];
  const maxCalls = wholeNumber(env, "MAX_WEB_SEARCHES_PER_SESSION");
  if (url !== undefined && !/^https?:\/\//i.test(url))
    throw badOption("PAWL_SEARCH_URL", "is no http or https address; write it like https://search.example.com/search");
  return {
    fetch: { env },
    ...(url === undefined ? {} : { endpoint: { url, ...(key === undefined ? {} : { key }) } }),
    ...(maxCalls === undefined ? {} : { maxCalls }),
  };
}

const listed = (text = "") => text.split(/[\s,]+/).filter((entry) => entry !== "");
