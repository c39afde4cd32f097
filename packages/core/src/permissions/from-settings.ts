import { dirname, isAbsolute } from "node:path";
import type { SettingSource, Settings, Sourced } from "../settings/settings.ts";
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
      const origin = { ...(anchor === undefined ? {} : { anchor }), ...(place === undefined ? {} : { place }) };
      const read = readRules([value], list, source, origin);
      warnings.push(...read.warnings.map((warning) => withLine(warning, place, line)));
      return read.rules;
    });
  const rules = { allow: rulesOf("allow"), ask: rulesOf("ask"), deny: rulesOf("deny") };
  const mode = modeOf(permissions.defaultMode, warnings);
  return { rules, ...(mode === undefined ? {} : { mode }), warnings };
}

/** A warning about an entry of a file names the file first: its line stands behind it. */
function withLine(warning: string, place: string | undefined, line: number | undefined): string {
  const isOfFile = place !== undefined && line !== undefined && warning.startsWith(`${place}: `);
  return isOfFile ? `${place}:${line}${warning.slice(place.length)}` : warning;
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
    const where = `${setting.source}: permissions.defaultMode`;
    warnings.push(`${where} is "${setting.value}"; write one of ${permissionModes.join(", ")}`);
  }
  if (mode === "auto" && (setting.source === "projectSettings" || setting.source === "localSettings")) {
    warnings.push(
      `${setting.source}: permissions.defaultMode "auto" is not used; a user sets it, with --permission-mode auto`,
    );
    return undefined;
  }
  return mode;
}
