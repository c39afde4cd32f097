import { localFiles } from "../files/local-files.ts";
import { faultOfRule, isUsed } from "../permissions/rule-set.ts";
import { configHome, homeOf } from "../settings/config-home.ts";
import { mergeLayers } from "../settings/merge-layers.ts";
import { type ReadFile, readLayers } from "../settings/read-layers.ts";
import { setSetting, unsetSetting } from "../settings/set-setting.ts";
import type { FileSource, SettingsPlaces } from "../settings/setting-files.ts";
import type { Settings, Sourced } from "../settings/settings.ts";
import { type UnknownKey, unknownKeys } from "../settings/unknown-keys.ts";
import type { UpdatedSettings } from "../settings/update-settings.ts";
import { builtinTools } from "../tools/builtin/builtin-tools.ts";
import { FolderTrust } from "../trust/folder-trust.ts";
import { keepConsent } from "../trust/keep-consent.ts";
import type { TrustQuestion } from "../trust/trust-question.ts";
import { workingDirectory } from "./check-options.ts";
import { modelFaults } from "./chosen-model.ts";
import { notInForce } from "./not-in-force.ts";
import type { EngineOptions } from "./options.ts";
import { sessionPermissions } from "./session-permissions.ts";
import { settingsOptions } from "./settings-options.ts";
import { withSettings } from "./turn-settings.ts";

export type InspectOptions = Pick<
  EngineOptions,
  "cwd" | "env" | "settings" | "settingSources" | "managedSettings" | "managedSettingsFolders" | "trustFolder"
>;

/** What a session here would be set to, and why. */
export type SettingsReport = {
  /** As they would count: without what the folder says while it is not trusted. */
  settings: Settings;
  /** Rules of `settings` that are left out because they cannot be read or never match: the same objects. */
  unusedRules: readonly Sourced<string>[];
  /** What is wrong with the files, also with those that are not trusted yet. */
  problems: readonly string[];
  /** What does not count because the folder is not trusted. */
  leftOut: readonly string[];
  /** Every file that is looked for, the weakest first. */
  files: readonly ReadFile[];
  /** Keys that have no effect. */
  unknownKeys: readonly UnknownKey[];
  /** What the user would be asked before the folder's own settings count; absent when there is nothing to ask. */
  trustQuestion?: TrustQuestion;
};

/** Reads the settings as a session of the command line in this folder would, and starts and writes nothing. */
export async function inspectSettings(options: InspectOptions = {}): Promise<SettingsReport> {
  const env = options.env ?? process.env;
  const places = await placesOf(options);
  const read = await readLayers(await settingsOptions({ ...options, entrypoint: "cli" }, places, env));
  let trustQuestion: TrustQuestion | undefined;
  const trust = await FolderTrust.open({
    ...places,
    env,
    files: localFiles(),
    ...(options.settingSources === undefined ? {} : { sources: options.settingSources }),
    trusts: options.trustFolder === true,
    async ask(question) {
      trustQuestion = question;
      return "no";
    },
    now: Date.now,
  });
  const admitted = await trust.admit(read.layers);
  const settings = mergeLayers(admitted.layers, read.warnings);
  return {
    settings,
    unusedRules: unusedRules(settings),
    problems: problemsOf(mergeLayers(read.layers, read.warnings), env),
    leftOut: admitted.warnings,
    files: read.files,
    unknownKeys: unknownKeys(read.layers),
    ...(trustQuestion === undefined ? {} : { trustQuestion }),
  };
}

/** Of rules it is told as a session without options would. */
const problemsOf = (settings: Settings, env: Readonly<Record<string, string | undefined>>): string[] => [
  ...settings.warnings,
  ...modelFaults(withSettings(env, settings), settings),
  ...sessionPermissions({}, settings, toolNames()).notices,
  ...notInForce(settings),
];

const unusedRules = ({ permissions }: Settings): Sourced<string>[] =>
  (["allow", "ask", "deny"] as const).flatMap((list) =>
    permissions[list].filter(({ value, source }) => !isUsed(value, list, source)),
  );

const toolNames = () => builtinTools().map(({ name }) => name);

/** What would have no effect, or would stop every session, is not written. */
const faultsOf = (settings: Settings): string[] => [...ruleFaults(settings), ...modelFaults({}, settings)];

function ruleFaults({ permissions }: Settings): string[] {
  return (["allow", "ask", "deny"] as const).flatMap((list) =>
    permissions[list].flatMap(({ value, source, place }) => {
      const origin = place === undefined ? {} : { place };
      return faultOfRule(value, list, source, origin) ?? [];
    }),
  );
}

/** Where a change is written: the user's own file, the start folder's, or the person's own for this repository. */
export type SettingScope = FileSource;

/** Sets one key in our own file of a scope. @throws PawlError `bad_option`, `settings_invalid`, `file_*` */
export async function changeSetting(
  key: string,
  text: string,
  scope: SettingScope,
  options: Pick<InspectOptions, "cwd" | "env"> = {},
): Promise<UpdatedSettings & { file: string; value: unknown }> {
  const places = await placesOf(options);
  return keepConsent({ ...places, env: options.env ?? process.env, files: localFiles(), now: Date.now }, () =>
    setSetting(key, text, scope, places, faultsOf),
  );
}

/** Takes one key out of our own file of a scope. @throws PawlError `settings_invalid`, `file_*` */
export async function removeSetting(
  key: string,
  scope: SettingScope,
  options: Pick<InspectOptions, "cwd" | "env"> = {},
): Promise<UpdatedSettings & { file: string }> {
  const places = await placesOf(options);
  return keepConsent({ ...places, env: options.env ?? process.env, files: localFiles(), now: Date.now }, () =>
    unsetSetting(key, scope, places),
  );
}

async function placesOf({ cwd, env = process.env }: Pick<InspectOptions, "cwd" | "env">): Promise<SettingsPlaces> {
  const home = homeOf(env);
  const folder = await workingDirectory("cwd", cwd ?? process.cwd(), localFiles());
  return { cwd: folder, home, configHome: configHome(env, home) };
}
