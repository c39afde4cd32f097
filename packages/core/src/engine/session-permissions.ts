import { permissionsFromSettings } from "../permissions/from-settings.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import { parseRule } from "../permissions/rule.ts";
import { type RuleSet, unknownToolWarning } from "../permissions/rule-set.ts";
import type { Settings } from "../settings/settings.ts";
import type { EngineOptions } from "./options.ts";

export type SessionPermissions = { rules: RuleSet; mode?: PermissionMode; notices: string[] };

/**
 * Rules and mode of a session: of the settings and of the options. A rule of the settings that cannot be used is left out and
 * reported; one of the options is an error.
 *
 * @throws PawlError `rule_invalid`.
 */
export function sessionPermissions(
  { allowedTools = [], disallowedTools = [] }: EngineOptions,
  settings: Settings,
  toolNames: readonly string[],
): SessionPermissions {
  const { rules: stored, mode, warnings } = permissionsFromSettings(settings);
  const rules: RuleSet = {
    allow: [...stored.allow, ...allowedTools.map((text) => parseRule(text, "cliArg"))],
    ask: stored.ask,
    deny: [...stored.deny, ...disallowedTools.map((text) => parseRule(text, "cliArg"))],
  };
  const unknown = rules.deny.flatMap((rule) => unknownToolWarning(rule, "deny", toolNames) ?? []);
  return { rules, ...(mode === undefined ? {} : { mode }), notices: [...warnings, ...unknown] };
}
