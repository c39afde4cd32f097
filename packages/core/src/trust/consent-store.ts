import { join } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import { withFileLock } from "../files/file-lock.ts";
import { sha256 } from "../files/hash.ts";
import { listFolder } from "../files/list-folder.ts";
import { isObject } from "../settings/check-value.ts";
import { bytesOf } from "./bytes-of.ts";
import type { Fingerprint } from "./folder-item.ts";
import type { TrustFolder } from "./trust-folder.ts";

const MAX_CONSENT_BYTES = 4 * 1024 * 1024;
const MAX_CONSENTS_LISTED = 10_000;

/** What was consented to in one folder. */
export type FolderConsent = {
  /** Real path of the repository's root, or of the start folder outside one. */
  readonly folder: string;
  /** Start folder, relative to the root (`.`) → what it was trusted with. */
  readonly starts: Readonly<Record<string, StartConsent & { readonly at: string }>>;
};

export type StartConsent = {
  /** `own_writes`: nobody was asked; all there is was written by us, as the user told us to. */
  readonly by: "answer" | "own_writes";
  readonly items: Fingerprint;
};

/** Consents in our own config home, one file for each folder: programs that write at once are in nobody's way. */
export type ConsentStore = {
  /** Without a file, or with a broken one, nothing was consented to. */
  read(folder: string): Promise<FolderConsent>;
  /** Remembers a consent. @throws PawlError `file_*` */
  write(folder: Pick<TrustFolder, "mainRoot" | "start">, consent: StartConsent, now: number): Promise<void>;
  /** Forgets it; false when there was none. @throws PawlError `file_*` */
  revoke(folder: string): Promise<boolean>;
  /** Those with a consent, by folder. */
  list(): Promise<FolderConsent[]>;
};

/** @param configHome absolute; nothing is made there before the first consent. */
export function consentStore(configHome: string): ConsentStore {
  const home = join(configHome, "trust");
  const fileOf = (folder: string) => join(home, `${sha256(new TextEncoder().encode(folder)).slice(0, 40)}.json`);
  const read = async (folder: string) => {
    const consent = await readConsent(fileOf(folder));
    return consent?.folder === folder ? consent : { folder, starts: {} };
  };
  const save = (consent: FolderConsent) => {
    const text = `${JSON.stringify({ version: 1, ...consent }, null, 2)}\n`;
    return atomicWrite(fileOf(consent.folder), new TextEncoder().encode(text));
  };
  return {
    read,
    async write({ mainRoot, start }, consent, now) {
      // Sessions in several start folders of one repository may be asked at the same time.
      await withFileLock(fileOf(mainRoot), async () => {
        const { starts } = await read(mainRoot);
        await save({
          folder: mainRoot,
          starts: { ...starts, [start]: { at: new Date(now).toISOString(), ...consent } },
        });
      });
    },
    async revoke(folder) {
      if (isEmpty(await read(folder))) return false; // a look writes nothing
      return withFileLock(fileOf(folder), async () => {
        if (isEmpty(await read(folder))) return false;
        await save({ folder, starts: {} });
        return true;
      });
    },
    async list() {
      const names = ((await listFolder(home, MAX_CONSENTS_LISTED)) ?? []).map(({ name }) => name);
      const read = await Promise.all(
        names.filter((name) => /^\w+\.json$/.test(name)).map((name) => readConsent(join(home, name))),
      );
      return read
        .filter((consent) => consent !== undefined)
        .filter((consent) => !isEmpty(consent))
        .sort((one, other) => (one.folder < other.folder ? -1 : 1));
    },
  };
}

const isEmpty = ({ starts }: FolderConsent) => Object.keys(starts).length === 0;

async function readConsent(file: string): Promise<FolderConsent | undefined> {
  const bytes = await bytesOf(file, MAX_CONSENT_BYTES);
  if (bytes === undefined || bytes === "unreadable") return undefined;
  try {
    return consentIn(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined; // a file that is no JSON is asked about again
  }
}

function consentIn(value: unknown): FolderConsent | undefined {
  if (!isObject(value) || value["version"] !== 1) return undefined;
  const { folder, starts } = value;
  if (typeof folder !== "string" || !isObject(starts)) return undefined;
  const sound = Object.entries(starts).flatMap(([start, consent]) => {
    if (!isObject(consent) || !isFingerprint(consent["items"])) return [];
    const by = consent["by"] === "answer" ? ("answer" as const) : ("own_writes" as const);
    return [[start, { at: String(consent["at"]), by, items: consent["items"] }] as const];
  });
  return { folder, starts: Object.fromEntries(sound) };
}

const isFingerprint = (value: unknown): value is Fingerprint =>
  isObject(value) && Object.values(value).every((digest) => typeof digest === "string");
