import { dirname, isAbsolute } from "node:path";
import type { SettingSource, Settings, Sourced } from "../settings/settings.ts";
import { whereOf } from "../settings/where-of.ts";
import { type PermissionMode, permissionModeNamed, permissionModes } from "./mode.ts";
import type { RuleList } from "./rule.ts";
import { type RuleSet, readRules } from "./rule-set.ts";

type SettingsPermissions = {
  rules: RuleSet;
  mode?: PermissionMode;
  warnings: readonly string[];
};

/** Rules and mode as the settings give them; what cannot be used is left out with a warning. */
export function permissionsFromSettings({ permissions }: Settings): SettingsPermissions {
  const warnings: string[] = [];
  const rulesOf = (list: RuleList) =>
    permissions[list].flatMap(({ value, source, place, line }) => {
      const anchor = anchorOf(source, place);
      const read = readRules([value], list, source, {
        ...(anchor === undefined ? {} : { anchor }),
        ...(place === undefined ? {} : { place }),
        ...(line === undefined ? {} : { line }),
      });
      warnings.push(...read.warnings);
      return read.rules;
    });
  const rules = { allow: rulesOf("allow"), ask: rulesOf("ask"), deny: rulesOf("deny") };
  const mode = modeOf(permissions.defaultMode, warnings);
  return { rules, ...(mode === undefined ? {} : { mode }), warnings };
}

/** `/path` in a file that belongs to no project means the folder of that file. */
function anchorOf(source: SettingSource, place: string | undefined): string | undefined {
  const hasOwn = source === "userSettings" || source === "flagSettings";
  return hasOwn && place !== undefined && isAbsolute(place) ? dirname(place) : undefined;
}

function modeOf(setting: Sourced<string> | undefined, warnings: string[]): PermissionMode | undefined {
  if (setting === undefined) return undefined;
  const mode = permissionModeNamed(setting.value);
  if (mode === undefined) {
    warnings.push(
      `${whereOf(setting)}: permissions.defaultMode is "${setting.value}"; write one of ${permissionModes.join(", ")}`,
    );
  }
  if (mode === "auto" && (setting.source === "projectSettings" || setting.source === "localSettings")) {
    warnings.push(
      `${whereOf(setting)}: permissions.defaultMode "auto" is not used; a user sets it, with --permission-mode auto`,
    );
    return undefined;
  }
  return mode;
}
