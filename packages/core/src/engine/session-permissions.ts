import { permissionsFromSettings } from "../permissions/from-settings.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import { parseRule } from "../permissions/rule.ts";
import { inertRuleWarning, type RuleSet, unknownToolWarnings } from "../permissions/rule-set.ts";
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
  const notices = [...warnings];
  const given = (texts: readonly string[], list: "allow" | "deny") => {
    const rules = texts.map((text) => parseRule(text, "cliArg"));
    notices.push(...rules.flatMap((rule) => inertRuleWarning(rule, list) ?? []));
    return rules;
  };
  const rules: RuleSet = {
    allow: [...stored.allow, ...given(allowedTools, "allow")],
    ask: stored.ask,
    deny: [...stored.deny, ...given(disallowedTools, "deny")],
  };
  notices.push(...unknownToolWarnings(rules, toolNames));
  return { rules, ...(mode === undefined ? {} : { mode }), notices };
}
