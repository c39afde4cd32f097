import { envVar } from "../settings/env-var.ts";
import type { BuiltinToolOptions } from "../tools/builtin/builtin-tools.ts";
import { badOption } from "./check-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Public names that have no prefix of their own. Other programs' variables must not be taken for ours. */
const prefixless: ReadonlySet<string> = new Set([
  "BASH_DEFAULT_TIMEOUT_MS",
  "BASH_MAX_TIMEOUT_MS",
  "BASH_MAX_OUTPUT_LENGTH",
  "MAX_STRUCTURED_OUTPUT_RETRIES",
]);

/** A whole number from a variable, by its name without prefix. @throws PawlError `bad_option`. */
export function wholeNumber(env: Environment, name: string): number | undefined {
  const text = envVar(env, name) ?? (prefixless.has(name) ? env[name] : undefined);
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badOption(`PAWL_${name}`, `is "${text}"; give a whole number`);
}

/** The limits of built-in tools that the environment sets. @throws PawlError `bad_option`. */
export function toolSettings(env: Environment): BuiltinToolOptions {
  const defaultTimeoutMs = wholeNumber(env, "BASH_DEFAULT_TIMEOUT_MS");
  const maxTimeoutMs = wholeNumber(env, "BASH_MAX_TIMEOUT_MS");
  const maxOutputChars = wholeNumber(env, "BASH_MAX_OUTPUT_LENGTH");
  const maxReadTokens = wholeNumber(env, "FILE_READ_MAX_OUTPUT_TOKENS");
  return {
    bash: {
      ...(defaultTimeoutMs === undefined ? {} : { defaultTimeoutMs }),
      ...(maxTimeoutMs === undefined ? {} : { maxTimeoutMs }),
      ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
    },
    ...(maxReadTokens === undefined ? {} : { maxReadTokens }),
    globNoIgnore: envVar(env, "GLOB_NO_IGNORE") === "true",
  };
}
