import { parseArgs } from "node:util";
import type { InspectOptions, SettingScope } from "@pawl/core";
import { oneOf, settingSources, text } from "../flag-values.ts";
import { UsageError } from "../usage-error.ts";

export type CommandArguments = {
  words: string[];
  isJson: boolean;
  isHelp: boolean;
  scope?: SettingScope;
  inspect: InspectOptions;
};

const scopes = ["user", "project", "local"] as const;

/** The words and flags behind `pawl config` and `pawl doctor`. @throws UsageError */
export function readArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = parsed(args);
  const { settings, trust, scope, json, help } = values;
  const sources = values["setting-sources"];
  return {
    words: positionals,
    isJson: json === true,
    isHelp: help === true,
    ...(scope === undefined ? {} : { scope: oneOf("--scope", scope, scopes) }),
    inspect: {
      ...(settings === undefined ? {} : { settings: text("--settings", settings) }),
      ...(sources === undefined ? {} : { settingSources: settingSources("--setting-sources", sources) }),
      trustFolder: trust === true,
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        scope: { type: "string" },
        settings: { type: "string" },
        "setting-sources": { type: "string" },
        trust: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
