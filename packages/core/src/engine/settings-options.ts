import { publicConfigHome } from "../settings/config-home.ts";
import { flagLayer } from "../settings/flag-layer.ts";
import type { LayerOptions } from "../settings/read-layers.ts";
import type { EngineOptions } from "./options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the settings of a session come from. @throws PawlError `settings_invalid` for the option `settings`. */
export async function settingsOptions(
  options: Pick<
    EngineOptions,
    "settings" | "settingSources" | "managedSettings" | "managedSettingsFolders" | "entrypoint"
  >,
  places: { cwd: string; home: string; configHome: string },
  env: Environment,
): Promise<LayerOptions> {
  const { settings, settingSources, managedSettings, managedSettingsFolders, entrypoint } = options;
  return {
    ...places,
    publicHome: publicConfigHome(env, places.home),
    // An embedding program says by its `cwd` which folder it means.
    localAt: entrypoint === "cli" ? "git_root" : "cwd",
    ...(settingSources === undefined ? {} : { sources: settingSources }),
    ...(settings === undefined ? {} : { flag: await flagLayer(settings, places.cwd) }),
    ...(managedSettings === undefined ? {} : { managed: managedSettings }),
    ...(managedSettingsFolders === undefined ? {} : { policyFolders: managedSettingsFolders }),
  };
}
