import type { Settings, Sourced } from "../settings/settings.ts";
import { type PermissionMode, permissionModeNamed, permissionModes } from "./mode.ts";
import type { RuleList } from "./rule.ts";
import { type RuleSet, readRules } from "./rule-set.ts";

export type SettingsPermissions = {
  rules: RuleSet;
  mode?: PermissionMode;
  warnings: readonly string[];
};

/** Rules and mode as the settings give them; what cannot be used is left out with a warning. */
export function permissionsFromSettings({ permissions }: Settings): SettingsPermissions {
  const warnings: string[] = [];
  const rulesOf = (list: RuleList) =>
    permissions[list].flatMap(({ value, source }) => {
      const read = readRules([value], list, source);
      warnings.push(...read.warnings);
      return read.rules;
    });
  const rules = { allow: rulesOf("allow"), ask: rulesOf("ask"), deny: rulesOf("deny") };
  const mode = modeOf(permissions.defaultMode, warnings);
  return { rules, ...(mode === undefined ? {} : { mode }), warnings };
}

function modeOf(setting: Sourced<string> | undefined, warnings: string[]): PermissionMode | undefined {
  if (setting === undefined) return undefined;
  const mode = permissionModeNamed(setting.value);
  if (mode === undefined) {
    const where = `${setting.source}: permissions.defaultMode`;
    warnings.push(`${where} is "${setting.value}"; write one of ${permissionModes.join(", ")}`);
  }
  return mode;
}
