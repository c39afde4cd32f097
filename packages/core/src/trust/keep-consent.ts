import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { PawlError } from "../lib/error.ts";
import { readLayers } from "../settings/read-layers.ts";
import { fileSources, type SettingsPlaces } from "../settings/setting-files.ts";
import { consentStore } from "./consent-store.ts";
import { type Fingerprint, fingerprintOf, isSame } from "./folder-item.ts";
import { withWhatItNames } from "./folder-items.ts";
import type { GitUser } from "./git-user-config.ts";
import { mcpItems } from "./mcp-json.ts";
import { type TrustFolder, trustFolderOf } from "./trust-folder.ts";
import { withhold } from "./withhold.ts";

type Where = SettingsPlaces & {
  /** As of the session whose consent it is: in it git says where the user's configuration is. */
  env?: GitUser["env"];
  files: WorkspaceFiles;
  now: () => number;
};

/**
 * Does a write to settings that the user asked for, such as a rule not to be asked about again. A folder that was trusted
 * before stays so, and one with nothing in it to trust is trusted with what was written: nobody is asked about their own words.
 */
export async function keepConsent<Result>(where: Where, write: () => Promise<Result>): Promise<Result> {
  const { cwd, configHome, files } = where;
  const folder = await trustFolderOf(cwd, await files.realPath(where.home));
  const store = consentStore(configHome);
  const before = await stateOf(where, folder);
  const consent = (await store.read(folder.mainRoot)).starts[folder.start];
  const isCovered = isSame(consent?.items ?? {}, before);
  const result = await write();
  if (!isCovered) return result;
  const after = await stateOf(where, folder);
  if (isSame(before, after)) return result;
  try {
    await store.write(folder, { by: consent?.by ?? "own_writes", items: after }, where.now());
  } catch (error) {
    if (!(error instanceof PawlError)) throw error; // what could not be remembered is asked about at the next start
  }
  return result;
}

async function stateOf(where: Where, folder: TrustFolder): Promise<Fingerprint> {
  const { cwd, home, env, files } = where;
  const { items } = withhold((await readLayers({ ...where, sources: fileSources })).layers);
  const configured = [...items, ...(await mcpItems(cwd))];
  return fingerprintOf(
    await withWhatItNames(configured, { cwd, root: folder.root, files, user: { home, env } }),
    folder,
  );
}
