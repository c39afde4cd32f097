import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { messageOf, systemCode } from "../lib/error.ts";
import { gitRootOf } from "./git-root.ts";
import type { SettingSource } from "./settings.ts";

/** Files that a person may leave out; those of the machine's policy always count. */
export type FileSource = "user" | "project" | "local";
export const fileSources: readonly FileSource[] = ["user", "project", "local"];

/** Where settings are looked for. All paths are absolute. */
export type SettingsPlaces = {
  /** The start directory. */
  cwd: string;
  home: string;
  /** Our own folder, which holds the user's `settings.json`. */
  configHome: string;
  /** Another product's folder of the same layout, which is only read. */
  publicHome?: string;
  /** Folders of the machine's policy, the weakest first; default those of the platform. */
  policyFolders?: readonly string[];
  /** Where the local file stands: at the root of the repository (default), or in the start directory. */
  localAt?: "git_root" | "cwd";
};

export type SettingFile = { source: SettingSource; path: string };

/** Of each source the public layout first: ours is laid over it. */
const folders = [".claude", ".pawl"] as const;

const platformPolicyFolders: Readonly<Record<string, readonly string[]>> = {
  darwin: ["/Library/Application Support/ClaudeCode", "/Library/Application Support/Pawl"],
  win32: ["C:\\Program Files\\ClaudeCode", "C:\\Program Files\\Pawl"],
};
const otherPolicyFolders = ["/etc/claude-code", "/etc/pawl"];

/** Every file that settings may come from, there or not, the weakest first. */
export async function settingFiles(
  places: SettingsPlaces,
  sources: readonly FileSource[] = fileSources,
): Promise<{ files: SettingFile[]; warnings: string[] }> {
  const { cwd, configHome, publicHome } = places;
  const wanted = (source: FileSource, files: readonly string[]) =>
    sources.includes(source) ? files.map((path): SettingFile => ({ source: `${source}Settings`, path })) : [];
  const user = publicHome === undefined ? [configHome] : [publicHome, configHome];
  const local = sources.includes("local") ? await localFolder(places) : cwd;
  const policy = await policyFiles(places.policyFolders ?? defaultPolicyFolders());
  return {
    files: [
      ...wanted(
        "user",
        user.map((folder) => join(folder, "settings.json")),
      ),
      ...wanted(
        "project",
        folders.map((folder) => join(cwd, folder, "settings.json")),
      ),
      ...wanted(
        "local",
        folders.map((folder) => join(local, folder, "settings.local.json")),
      ),
      ...policy.files.map((path): SettingFile => ({ source: "policySettings", path })),
    ],
    warnings: policy.warnings,
  };
}

const defaultPolicyFolders = (): readonly string[] => platformPolicyFolders[process.platform] ?? otherPolicyFolders;

/**
 * Where the local file stands: the repository's root, so that it counts in all its folders, and for a worktree the main
 * checkout's. A root that others may have made, or the home folder, is not used.
 */
export async function localFolder({ cwd, home, localAt }: SettingsPlaces): Promise<string> {
  if (localAt === "cwd" || process.platform === "win32") return cwd;
  const root = (await gitRootOf(cwd))?.mainRoot;
  if (root === undefined || root === home || root === homedir()) return cwd;
  const own = [root, ...[".git", ...folders].map((name) => join(root, name))];
  return (await Promise.all(own.map(isOurs))).every(Boolean) ? root : cwd;
}

/** Also what is not there. */
async function isOurs(path: string): Promise<boolean> {
  try {
    return (await stat(path)).uid === process.getuid?.();
  } catch (error) {
    return systemCode(error) === "ENOENT";
  }
}

async function policyFiles(policyFolders: readonly string[]): Promise<{ files: string[]; warnings: string[] }> {
  const files: string[] = [];
  const warnings: string[] = [];
  for (const folder of policyFolders) {
    files.push(join(folder, "managed-settings.json"));
    const more = join(folder, "managed-settings.d");
    try {
      const names = (await readdir(more)).filter((name) => name.endsWith(".json") && !name.startsWith("."));
      files.push(...names.sort().map((name) => join(more, name)));
    } catch (error) {
      const isAbsent = ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
      if (!isAbsent) warnings.push(`${more}: the managed settings cannot be listed: ${messageOf(error)}`);
    }
  }
  return { files, warnings };
}
