import { PawlError } from "../lib/error.ts";
import { type PermissionUpdate, ruleText, type UpdateDestination } from "../permissions/update.ts";
import {
  addDirectories,
  addPermissionRules,
  removeDirectories,
  removePermissionRules,
} from "../settings/permission-entries.ts";
import { settingsFileOf } from "../settings/set-setting.ts";
import type { FileSource, SettingsPlaces } from "../settings/setting-files.ts";
import { type UpdatedSettings, updateSettings } from "../settings/update-settings.ts";

/**
 * Writes a change of permissions to the settings file of its destination; for `session` and `cliArg` there is none.
 *
 * @returns what else the person should know.
 * @throws PawlError `settings_invalid`, `file_locked`, `file_*`.
 */
export async function savePermissions(update: PermissionUpdate, places: SettingsPlaces): Promise<readonly string[]> {
  const source = sources[update.destination];
  return source === undefined ? [] : (await write(update, await settingsFileOf(source, places))).notes;
}

const sources: Readonly<Record<UpdateDestination, FileSource | undefined>> = {
  userSettings: "user",
  projectSettings: "project",
  localSettings: "local",
  session: undefined,
  cliArg: undefined,
};

function write(update: PermissionUpdate, file: string): Promise<UpdatedSettings> {
  switch (update.type) {
    case "addRules":
      return addPermissionRules(file, update.behavior, update.rules.map(ruleText));
    case "removeRules":
      return removePermissionRules(file, update.behavior, update.rules.map(ruleText));
    case "replaceRules":
      return set(file, update.behavior, update.rules.map(ruleText));
    case "addDirectories":
      return addDirectories(file, update.directories);
    case "removeDirectories":
      return removeDirectories(file, update.directories);
    case "setMode":
      if (update.mode !== "bypassPermissions") return set(file, "defaultMode", update.mode);
      throw new PawlError("bad_option", 'mode "bypassPermissions" is not written to a file by an answer');
    default:
      return update satisfies never;
  }
}

const set = (file: string, key: string, value: string | readonly string[]): Promise<UpdatedSettings> =>
  updateSettings(file, () => [{ path: ["permissions", key], value }]);
