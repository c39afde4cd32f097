import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { localFiles } from "../files/local-files.ts";
import { gitPrograms } from "./git-programs.ts";

let template: string;
let folder: string;
let repository: string;
let canary: string;
beforeAll(async () => {
  template = await realpath(await mkdtemp(join(tmpdir(), "pawl-git-")));
  git(template, "init", "-q", "--template=");
  await writeFile(join(template, "file.txt"), "one\n");
  git(template, "add", "file.txt");
  git(template, "commit", "-qm", "first");
  await writeFile(join(template, "file.txt"), "another\n");
});
afterAll(() => rm(template, { recursive: true }));

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-git-")));
  repository = join(folder, "repository");
  canary = join(folder, "canary");
  await writeFile(join(folder, "evil"), `#!/bin/sh\necho ran >> ${canary}\ncat\n`);
  await chmod(join(folder, "evil"), 0o755);
  await newRepository(repository);
});
afterEach(() => rm(folder, { recursive: true }));

const environment = () => ({
  PATH: process.env["PATH"],
  HOME: template,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "a"],
      [`GIT_${who}_EMAIL`, "a@b"],
    ]),
  ),
});

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, env: environment(), stdio: "ignore" });
}

const newRepository = (path: string) => cp(template, path, { recursive: true });

/** They only look, and are allowed without a question. */
const looks = ["status", "diff", "log -p", "blame file.txt"];

/** Whether one of the commands that only look starts the program. Git may well refuse such a repository. */
function starts(cwd: string): boolean {
  const line = looks.map((look) => `git ${look}`).join("; ");
  spawnSync("sh", ["-c", `${line}; true`], { cwd, env: environment(), stdio: "ignore" });
  return existsSync(canary);
}

const found = async (cwd: string) => (await gitPrograms(cwd, localFiles())).map(({ key }) => key);

const evil = () => join(folder, "evil");
type Case = readonly [what: string, set: () => Promise<string | undefined> | string | undefined, keys: string[]];
const config = (key: string, cwd = repository) => git(cwd, "config", key, evil());
const attributes = async (text: string): Promise<undefined> => {
  await mkdir(join(repository, ".git/info"), { recursive: true });
  await writeFile(join(repository, ".git/info/attributes"), text);
};

/** The index is written again when a file only seems to have changed. */
async function hookIn(hooks: string): Promise<void> {
  await mkdir(join(repository, hooks), { recursive: true });
  await cp(evil(), join(repository, hooks, "post-index-change"));
  await writeFile(join(repository, "file.txt"), "one\n");
  await utimes(join(repository, "file.txt"), 1_000_000, 1_000_000);
}

const running: readonly Case[] = [
  ["a monitor of files", () => void config("core.fsmonitor"), ["core.fsmonitor"]],
  ["another program for differences", () => void config("diff.external"), ["diff.external"]],
  ["the hook that looking starts", async () => void (await hookIn(".git/hooks")), ["(hook)"]],
  [
    "that hook in a folder of the worktree",
    async () => {
      await hookIn("tools");
      git(repository, "config", "core.hooksPath", "tools");
      return undefined;
    },
    ["(hook)"],
  ],
  [
    "a conversion to text",
    async () => {
      config("diff.x.textconv");
      await attributes("*.txt diff=x");
      return undefined;
    },
    ["diff.x.textconv"],
  ],
  [
    "a filter",
    async () => {
      config("filter.x.clean");
      await attributes("*.txt filter=x");
      return undefined;
    },
    ["filter.x.clean"],
  ],
  [
    "an included file",
    async () => {
      await writeFile(join(folder, "more"), `[core]\n fsmonitor = ${evil()}\n`);
      git(repository, "config", "include.path", join(folder, "more"));
      return undefined;
    },
    ["include.path", "(included)"],
  ],
  [
    "the configuration of one worktree",
    () => {
      git(repository, "config", "extensions.worktreeConfig", "true");
      git(repository, "config", "--worktree", "core.fsmonitor", evil());
      return undefined;
    },
    ["core.fsmonitor"],
  ],
  [
    "a nested repository of the index",
    async () => {
      await newRepository(join(repository, "nested"));
      git(repository, "add", "nested");
      config("core.fsmonitor", join(repository, "nested"));
      return undefined;
    },
    ["core.fsmonitor"],
  ],
  [
    "a nested repository of a later index format",
    async () => {
      await newRepository(join(repository, "nested"));
      git(repository, "add", "nested");
      git(repository, "update-index", "--index-version", "4");
      config("core.fsmonitor", join(repository, "nested"));
      return undefined;
    },
    ["core.fsmonitor"],
  ],
  [
    "a subfolder laid out like a repository",
    async () => {
      const inner = join(repository, "inner");
      await cp(join(repository, ".git"), inner, { recursive: true });
      await writeFile(
        join(inner, "config"),
        `[core]\n repositoryformatversion = 0\n bare = false\n worktree = ..\n fsmonitor = ${evil()}\n`,
      );
      return inner;
    },
    ["core.worktree", "core.fsmonitor"],
  ],
  [
    "a broken .git in front of a folder laid out like a repository",
    async () => {
      const inner = join(repository, "inner");
      await cp(join(repository, ".git"), inner, { recursive: true });
      await cp(join(repository, ".git"), join(inner, ".git"), { recursive: true });
      await writeFile(join(inner, ".git/HEAD"), "no reference");
      await writeFile(
        join(inner, "config"),
        `[core]\n repositoryformatversion = 0\n bare = false\n worktree = ..\n fsmonitor = ${evil()}\n`,
      );
      return inner;
    },
    ["core.worktree", "core.fsmonitor"],
  ],
  [
    "a .git file that points elsewhere",
    async () => {
      const inner = join(repository, "inner");
      await mkdir(inner);
      await cp(join(repository, ".git"), join(folder, "elsewhere"), { recursive: true });
      git(folder, "config", "--file", join(folder, "elsewhere/config"), "core.fsmonitor", evil());
      await writeFile(join(inner, ".git"), `gitdir: ${join(folder, "elsewhere")}\n`);
      return inner;
    },
    ["core.fsmonitor"],
  ],
  [
    "a branch whose differences another program shows",
    async () => {
      git(repository, "config", "diff.x.command", evil());
      await writeFile(join(repository, ".gitattributes"), "*.txt diff=x\n");
      return undefined;
    },
    ["diff.x.command"],
  ],
];

test.each(running)("%s starts a program, and is found", async (_, set, keys) => {
  const cwd = (await set()) ?? repository;

  expect(await found(cwd)).toEqual(keys);
  expect(starts(cwd)).toBe(true);
});

const quiet: readonly Case[] = [
  ["an ordinary repository", () => undefined, []],
  ["hooks elsewhere", () => hooksElsewhere(), []],
  ["a pager and an editor", () => pagers(), []],
  ["an alias of an own command", () => void git(repository, "config", "alias.status", `!${evil()}`), []],
  [
    "a remote and a branch",
    () => {
      git(repository, "remote", "add", "origin", "https://example.com/x.git");
      git(repository, "config", "branch.main.remote", "origin");
      return undefined;
    },
    [],
  ],
  ["a nested repository outside of the index", () => nestedOutside(), []],
  ["a submodule", () => submodule(), []],
  ["a folder in no repository", () => plainFolder(), []],
];

async function hooksElsewhere(): Promise<undefined> {
  const hooks = join(repository, "hooks");
  await mkdir(hooks);
  for (const name of ["pre-commit", "post-checkout", "reference-transaction"]) await cp(evil(), join(hooks, name));
  git(repository, "config", "core.hooksPath", "hooks");
}

async function nestedOutside(): Promise<undefined> {
  await newRepository(join(repository, "nested"));
  config("core.fsmonitor", join(repository, "nested"));
}

function pagers(): undefined {
  for (const key of ["core.pager", "pager.log", "core.editor"]) config(key);
}

function submodule(): undefined {
  git(repository, "-c", "protocol.file.allow=always", "submodule", "add", template, "nested");
}

async function plainFolder(): Promise<string> {
  await mkdir(join(folder, "plain"));
  return join(folder, "plain");
}

test.each(quiet)("%s starts nothing", async (_, set, keys) => {
  const cwd = (await set()) ?? repository;

  expect(await found(cwd)).toEqual(keys);
  expect(starts(cwd)).toBe(false);
});

test("what cannot be read counts as something that may start programs", async () => {
  await writeFile(join(repository, ".git/config"), "no configuration");
  await writeFile(join(repository, ".git/index"), "no index");

  expect((await gitPrograms(repository, localFiles())).map(({ value }) => value)).toEqual([
    "a configuration that cannot be read",
    "an index that cannot be read",
  ]);
});

test("a partial clone, which fetches what is missing, is found", async () => {
  git(repository, "config", "remote.origin.promisor", "true");

  expect(await found(repository)).toEqual(["remote.origin.promisor"]);
});

test.each([
  ["blame.ignoreRevsFile", ["blame", "file.txt"]],
  ["core.excludesFile", ["status"]],
  ["diff.orderFile", ["diff"]],
])("%s is read by git, and found unless it is a file of the worktree", async (key, look) => {
  await writeFile(join(repository, "own"), "");
  await symlink(join(folder, "evil"), join(repository, "link"));
  for (const path of ["own", join(repository, "own")]) {
    git(repository, "config", key, path);
    expect(await found(repository)).toEqual([]);
  }
  for (const path of ["../evil", "link", "~/evil", join(folder, "evil")]) {
    git(repository, "config", key, path);
    expect(await found(repository)).toEqual([key.toLowerCase()]);
  }
  const { stderr } = spawnSync("git", look, { cwd: repository, env: environment(), encoding: "utf8" });
  if (key.startsWith("blame")) expect(stderr).toContain("echo ran"); // what is in the file is told
});

test("a list that is sorted by signatures would start what checks them", async () => {
  git(repository, "config", "tag.sort", "-creatordate");
  expect(await found(repository)).toEqual([]);
  git(repository, "config", "tag.sort", "signature");
  expect(await found(repository)).toEqual(["tag.sort"]);
});

test("a summary of submodules starts further programs", async () => {
  git(repository, "config", "status.submoduleSummary", "true");
  expect(await found(repository)).toEqual(["status.submodulesummary"]);
});

const ofUser: readonly Case[] = [
  [
    "hooks in each worktree",
    async () => {
      await hookIn("tools");
      return "[core]\n hooksPath = tools\n";
    },
    ["(hook)"],
  ],
  [
    "hooks in each worktree, in a file that is included",
    async () => {
      await hookIn("tools");
      await writeFile(join(folder, "more"), "[core]\n hooksPath = tools\n");
      return "[include]\n path = more\n";
    },
    ["(hook)"],
  ],
  [
    "a monitor in each repository",
    async () => {
      await cp(evil(), join(repository, ".git/watch"));
      return "[core]\n fsmonitor = .git/watch\n";
    },
    ["core.fsmonitor"],
  ],
  ["a monitor that is the user's own", () => "[core]\n fsmonitor = /bin/true\n", []],
  ["hooks that are not there", () => "[core]\n hooksPath = tools\n", []],
];

test.each(ofUser)("of the user's own configuration: %s", async (_, set, keys) => {
  const text = (await set()) ?? "";
  await writeFile(join(folder, "user"), text);
  const env = { GIT_CONFIG_GLOBAL: join(folder, "user") };

  expect((await gitPrograms(repository, localFiles(), { home: folder, env })).map(({ key }) => key)).toEqual(keys);
  const line = looks.map((look) => `git ${look}`).join("; ");
  spawnSync("sh", ["-c", `${line}; true`], { cwd: repository, env: { ...environment(), ...env }, stdio: "ignore" });
  expect(existsSync(canary)).toBe(keys.length > 0);
});

test("more included files than are read count as something that starts", async () => {
  const names = Array.from({ length: 301 }, (_, at) => join(folder, `more-${at}`));
  await writeFile(join(folder, "user"), names.map((name) => `[include]\n path = ${name}\n`).join(""));
  const user = { home: folder, env: { GIT_CONFIG_GLOBAL: join(folder, "user") } };
  expect((await gitPrograms(repository, localFiles(), user)).map(({ key }) => key)).toEqual(["(unknown)"]);
  expect(await gitPrograms(folder, localFiles(), user)).toEqual([]);
});
