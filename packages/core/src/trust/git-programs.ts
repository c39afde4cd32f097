import { dirname, join, resolve } from "node:path";
import { linkTarget, realPath } from "../files/real-path.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { isInside } from "../lib/is-inside.ts";
import { bytesOf } from "./bytes-of.ts";
import type { FolderItem } from "./folder-item.ts";
import { type GitConfigEntry, MAX_CONFIG_BYTES, type PlacedEntry, parseGitConfig } from "./git-config.ts";
import { isHarmlessToLook, namesFile } from "./git-harmless.ts";
import { hooksOfLooking } from "./git-hooks.ts";
import { nestedRepositories } from "./git-index.ts";
import { configOfUser, type GitUser, namesHooksInWorktree, programsInWorktree } from "./git-user-config.ts";

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** A repository with more nested ones, or deeper, is not looked through: it counts as one that starts something. */
const MAX_REPOSITORIES = 300;

const noConfig: Awaited<ReturnType<typeof configOfUser>> = { entries: [], unread: undefined };

type Files = Pick<WorkspaceFiles, "stat">;

/**
 * What the configuration of the repository around `cwd`, and of those nested in it, may make git start when it only looks
 * (`git status`). Found by reading files; git itself is not asked, it would start them. Empty outside of a repository.
 */
export async function gitPrograms(cwd: string, files: Files, user?: GitUser): Promise<FolderItem[]> {
  const items: FolderItem[] = [];
  const { entries: ofUser, unread } = user === undefined ? noConfig : await configOfUser(user);
  const seen = new Set<string>();
  const waiting = await foldersAround(cwd, files);
  for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) {
    if (seen.has(found.gitFolder)) continue;
    seen.add(found.gitFolder);
    if (seen.size > MAX_REPOSITORIES)
      return [...items, unknown(found.gitFolder, "more nested repositories than are looked at")];
    const { entries, faults } = await configOf(found.gitFolder);
    const open: PlacedEntry[] = [];
    for (const entry of entries) if (await isOpen(entry.value, found)) open.push(entry);
    items.push(...(await programsInWorktree(ofUser, found.worktree)).map(itemOf));
    items.push(...faults, ...open.map(itemOf), ...(await includedBy(open)));
    const all = entries.map(({ value }) => value);
    const hooksOfUser = ofUser.map(({ value }) => value).filter(namesHooksInWorktree);
    const commonFolder = await commonFolderOf(found.gitFolder);
    items.push(
      ...(await hooksOfLooking({ commonFolder, worktree: found.worktree, entries: [...all, ...hooksOfUser] })),
    );
    const nested = await nestedIn(found, all);
    if (nested === undefined) items.push(unknown(join(found.gitFolder, "index"), "an index that cannot be read"));
    for (const path of nested ?? []) waiting.push(...(await repositoriesAt(resolve(found.worktree, path), files)));
  }
  if (unread !== undefined && seen.size > 0) items.push(unknown(unread, "more included files than are read"));
  return items;
}

type Repository = {
  /** Where git would find configuration, there or not. */
  gitFolder: string;
  worktree: string;
};

/** Every place where git may find a repository, up to the first that is surely one. */
async function foldersAround(cwd: string, files: Files): Promise<Repository[]> {
  const found: Repository[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const repository of await repositoriesAt(folder, files)) {
      found.push(repository);
      if (await isWhole(repository.gitFolder, files)) return found;
    }
    if (dirname(folder) === folder) return found;
  }
}

/** What git takes for a repository in one folder: `.git`, where a `.git` file points, and a folder that is laid out like one. */
async function repositoriesAt(folder: string, files: Files): Promise<Repository[]> {
  const inside = join(folder, ".git");
  const stamp = await files.stat(inside).catch(() => undefined);
  const found: Repository[] = [];
  if (stamp?.isDirectory) found.push({ gitFolder: inside, worktree: folder });
  else if (stamp !== undefined) {
    const target = /^gitdir: (.+?)\s*$/m.exec(await textOf(inside))?.[1];
    if (target !== undefined) found.push({ gitFolder: resolve(folder, target), worktree: folder });
  }
  if (await isLaidOut(folder, files)) found.push({ gitFolder: folder, worktree: folder });
  return found;
}

async function isLaidOut(folder: string, files: Files): Promise<boolean> {
  for (const name of ["HEAD", "objects", "refs"]) if (!(await isThere(join(folder, name), files))) return false;
  return true;
}

/** Whether git surely takes it for a repository, and looks no further. In doubt it is not: then more is looked at than git does. */
async function isWhole(gitFolder: string, files: Files): Promise<boolean> {
  const head = join(gitFolder, "HEAD");
  if ((await linkTarget(head)) !== undefined) return false;
  if (!/^(?:ref:[ \t\r\n]*refs\/|[0-9a-f]{40})/i.test(await textOf(head))) return false;
  const common = await commonFolderOf(gitFolder);
  return (await isSearchable(join(common, "objects"), files)) && (await isSearchable(join(common, "refs"), files));
}

/** Whether a folder can be searched: its `.` is found only then. */
const isSearchable = async (folder: string, files: Files): Promise<boolean> =>
  (await files.stat(`${folder}/.`).catch(() => undefined))?.isDirectory === true;

/** A worktree keeps what all worktrees share elsewhere. */
async function commonFolderOf(gitFolder: string): Promise<string> {
  const common = (await textOf(join(gitFolder, "commondir"))).trim();
  return common === "" ? gitFolder : resolve(gitFolder, common);
}

async function isOpen(entry: GitConfigEntry, repository: Repository): Promise<boolean> {
  if (namesFile(entry.key)) return !(await liesInWorktree(entry.value, repository.worktree));
  return !isHarmlessToLook(entry) && !namesOwnPlace(entry, repository);
}

/** Whether a file is one of the worktree, every link followed. */
async function liesInWorktree(path: string, worktree: string): Promise<boolean> {
  if (/^[~%]/.test(path)) return false;
  const real = await realPath(resolve(worktree, path)).catch(() => undefined);
  const root = await realPath(worktree).catch(() => undefined);
  return real !== undefined && root !== undefined && isInside(real, root);
}

/** The repository of a submodule says where its files are: where they are anyway. */
const namesOwnPlace = ({ key, value }: GitConfigEntry, { gitFolder, worktree }: Repository): boolean =>
  key === "core.worktree" && resolve(gitFolder, value) === worktree;

/** Of a file that is included the content counts: it may say what it likes. */
async function includedBy(entries: readonly PlacedEntry[]): Promise<FolderItem[]> {
  const including = entries.filter(({ value: { key } }) => /^include(?:if)?\..*path$/.test(key));
  const places = including.map(({ place, value }) => resolve(dirname(place), value.value));
  return Promise.all(places.map(async (place) => contentOf(place, await bytesOf(place, MAX_CONFIG_BYTES))));
}

const contentOf = (place: string, bytes: Buffer | undefined | "unreadable"): FolderItem => ({
  source: "gitConfig",
  place,
  key: "(included)",
  value: bytes instanceof Buffer ? bytes.toString("latin1") : "cannot be read",
});

async function configOf(gitFolder: string): Promise<{ entries: PlacedEntry[]; faults: FolderItem[] }> {
  const entries: PlacedEntry[] = [];
  const faults: FolderItem[] = [];
  const places = [
    join(await commonFolderOf(gitFolder), "config"),
    join(gitFolder, "config"),
    join(gitFolder, "config.worktree"),
  ];
  for (const place of new Set(places)) {
    const bytes = await bytesOf(place, MAX_CONFIG_BYTES);
    if (bytes === undefined) continue;
    const read = bytes === "unreadable" ? undefined : parseGitConfig(bytes.toString("utf8"));
    if (read === undefined) faults.push(unknown(place, "a configuration that cannot be read"));
    else entries.push(...read.map((value) => ({ place, value })));
  }
  return { entries, faults };
}

const itemOf = ({ place, value: { key, value } }: PlacedEntry): FolderItem => ({
  source: "gitConfig",
  place,
  key,
  value,
});

const unknown = (place: string, value: string): FolderItem => ({ source: "gitConfig", place, key: "(unknown)", value });

/** Undefined when there is an index that cannot be read. */
async function nestedIn({ gitFolder }: Repository, entries: readonly GitConfigEntry[]): Promise<string[] | undefined> {
  const index = await bytesOf(join(gitFolder, "index"), MAX_INDEX_BYTES);
  if (index === undefined) return [];
  if (index === "unreadable") return undefined;
  const isSha256 = entries.some(
    ({ key, value }) => key === "extensions.objectformat" && value.toLowerCase() === "sha256",
  );
  return nestedRepositories(index, isSha256 ? 32 : 20);
}

const MAX_LINK_BYTES = 16 * 1024;

async function textOf(path: string): Promise<string> {
  const bytes = await bytesOf(path, MAX_LINK_BYTES);
  return bytes === undefined || bytes === "unreadable" ? "" : bytes.toString("utf8");
}

/** What cannot be looked at may be there. */
const isThere = async (path: string, files: Files): Promise<boolean> =>
  (await files.stat(path).catch(() => true)) !== undefined;
