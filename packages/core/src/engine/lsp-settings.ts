import { isObject } from "../settings/check-value.ts";
import type { Settings } from "../settings/settings.ts";
import type { LspServerConfig } from "../tools/builtin/lsp/server-config.ts";

/** The language servers of the settings, whose form was checked when they were read; a folder's own are there when it is trusted. */
export function lspServers({ other }: Pick<Settings, "other">): LspServerConfig[] {
  const servers = other["lspServers"]?.value;
  return isObject(servers) ? Object.entries(servers).flatMap(([name, server]) => serverOf(name, server) ?? []) : [];
}

function serverOf(name: string, server: unknown): LspServerConfig | undefined {
  if (!isObject(server)) return undefined;
  const { command, args, extensionToLanguage, env, initializationOptions, settings, startupTimeout } = server;
  if (typeof command !== "string") return undefined;
  return {
    name,
    command,
    args: Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [],
    languages: lowerKeys(texts(extensionToLanguage)),
    env: texts(env),
    ...(initializationOptions === undefined ? {} : { initializationOptions }),
    ...(settings === undefined ? {} : { settings }),
    ...(typeof startupTimeout === "number" ? { startTimeoutMs: startupTimeout } : {}),
  };
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text]] : [],
    ),
  );

const lowerKeys = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, text]) => [key.toLowerCase(), text]));
