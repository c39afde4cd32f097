import { resolve } from "node:path";
import { realPath } from "../files/real-path.ts";
import { configHome, homeOf } from "../settings/config-home.ts";
import { type ConsentStore, consentStore, type FolderConsent } from "./consent-store.ts";
import { trustFolderOf } from "./trust-folder.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Every folder that somebody has consented to, with what to. */
export async function trustedFolders(env: Environment = process.env): Promise<FolderConsent[]> {
  return storeOf(env).list();
}

/**
 * Forgets the consent to the folder that counts in `path`: its repository, or the folder itself, also one that is gone.
 *
 * @returns the folder, undefined when there was no consent. @throws PawlError `file_*`
 */
export async function revokeTrust(path: string, env: Environment = process.env): Promise<string | undefined> {
  const store = storeOf(env);
  const folder = await realPath(resolve(path));
  const { mainRoot } = await trustFolderOf(folder, await realPath(homeOf(env)));
  for (const each of [mainRoot, folder]) if (await store.revoke(each)) return each;
  return undefined;
}

const storeOf = (env: Environment): ConsentStore => consentStore(configHome(env, homeOf(env)));
