import { resolve } from "node:path";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { messageOf } from "../lib/error.ts";
import type { Settings } from "../settings/settings.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { whereOf } from "../settings/where-of.ts";
import type { AppState } from "./app-state.ts";
import { workingDirectory } from "./check-options.ts";
import { notInForce } from "./not-in-force.ts";
import type { EngineOptions } from "./options.ts";
import { type SessionPermissions, sessionPermissions } from "./session-permissions.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What follows from the settings as a turn finds them. */
type TurnSettings = {
  permissions: SessionPermissions;
  /** For the programs that the session starts. */
  env: Environment;
  /** Real paths of the start directory and the added ones, each once. */
  directories: readonly string[];
  notices: readonly string[];
};

type TurnSettingsContext = {
  options: EngineOptions;
  toolNames: readonly string[];
  /** The process's variables, under those of the settings. */
  outerEnv: Environment;
  cwd: string;
  files: WorkspaceFiles;
};

type FollowedSettings = {
  current(): TurnSettings;
  /** Looks at the files again. @returns what the person should know and was not told before. */
  refresh(): Promise<readonly string[]>;
};

/** The settings' effect, anew for each turn. @throws PawlError `rule_invalid`, `bad_option` for what the options say. */
export async function followSettings(store: SettingsStore, context: TurnSettingsContext): Promise<FollowedSettings> {
  let current = await turnSettings(store.current(), context);
  return {
    current: () => current,
    async refresh() {
      const found = await store.refresh();
      const told = new Set(current.notices);
      current = await turnSettings(store.current(), context);
      return [...found, ...current.notices.filter((notice) => !told.has(notice))];
    },
  };
}

async function turnSettings(settings: Settings, context: TurnSettingsContext): Promise<TurnSettings> {
  const permissions = sessionPermissions(context.options, settings, context.toolNames);
  const { directories, notices } = await workingDirectories(settings, context);
  const env = withSettings(context.outerEnv, settings);
  return { permissions, env, directories, notices: [...permissions.notices, ...notices, ...notInForce(settings)] };
}

/** The settings' variables over the process's; an empty one takes the variable away. */
export function withSettings(env: Environment, settings: Settings): Environment {
  const own = Object.entries(settings.env).map(
    ([name, { value }]) => [name, value === "" ? undefined : value] as const,
  );
  return { ...env, ...Object.fromEntries(own) };
}

/** A folder that the settings name and that is not there is left out; one of the options is an error. */
async function workingDirectories(
  { permissions }: Settings,
  { options, cwd, files }: TurnSettingsContext,
): Promise<{ directories: string[]; notices: string[] }> {
  const notices: string[] = [];
  const directories = [cwd];
  for (const directory of permissions.additionalDirectories) {
    const { value } = directory;
    try {
      directories.push(await workingDirectory("additionalDirectories", resolve(cwd, value), files));
    } catch (error) {
      notices.push(`${whereOf(directory)}: ${JSON.stringify(value)} is left out: ${messageOf(error)}`);
    }
  }
  for (const path of options.additionalDirectories ?? []) {
    directories.push(await workingDirectory("additionalDirectories", resolve(cwd, path), files));
  }
  return { directories: [...new Set(directories)], notices };
}

/** The live state when the settings' folders have changed; those that the session itself added stay. */
export function withDirectories(state: AppState, before: readonly string[], now: readonly string[]): AppState {
  const kept = state.directories.filter((directory) => now.includes(directory) || !before.includes(directory));
  const added = now.filter((directory) => !before.includes(directory));
  return { ...state, directories: [...new Set([...kept, ...added])] };
}
