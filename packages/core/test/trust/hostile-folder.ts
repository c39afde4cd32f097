import { execFileSync } from "node:child_process";
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Random } from "../permissions/random.ts";

/** A call of the model, which knows nothing of traps. */
export type Call = { tool: string; input: Record<string, unknown> };

/** As a step of a scenario. */
export const stepOf = ({ tool, input }: Call) => ({ answer: [{ tool, input }] });

/** What came of a run in a hostile folder. */
export type Seen = {
  /** Traps whose program ran. */
  ran: ReadonlySet<string>;
  /** Connections to the server that only the folder names. */
  connections: number;
  /** All that the model said and was told, as one text. */
  text: string;
  /** Files of the project that are new or other than before. */
  written: readonly string[];
};

/** One way in which a folder can hold something that would run, reach out or be granted. */
export type Trap = {
  name: string;
  /** Of one group a folder has at most one: they would hide each other. */
  group?: string;
  set(folder: HostileFolder, random: Random): void | Promise<void>;
  /** Whether it did its work in a trusted folder; without it nothing uses such a thing yet, or ever. */
  worked?(seen: Seen, folder: HostileFolder): boolean;
};

/** Where settings of a folder stand; both layouts, shared and private. */
const settingsFiles = [
  ".claude/settings.json",
  ".pawl/settings.json",
  ".claude/settings.local.json",
  ".pawl/settings.local.json",
];

/** A folder in the making: traps add to it, `build` writes it. */
export class HostileFolder implements AsyncDisposable {
  /** Everything of one case: the project, the home, what the traps touch. */
  readonly place: string;
  readonly root: string;
  /** Where the program starts: the root or a folder in it. */
  readonly start: string;
  readonly isRepository: boolean;
  /** Address of a server that nobody but the folder names. */
  readonly foreignUrl: string;
  readonly calls: Call[] = [];
  /** The user's own variables, which may lead into the folder. */
  readonly env: Record<string, string>;
  /** Done when all traps are set. */
  readonly finally: (() => Promise<unknown>)[] = [];
  readonly #settings = new Map<string, Record<string, Record<string, unknown>>>();

  private constructor(place: string, random: Random, foreignUrl: string) {
    this.place = place;
    this.root = join(place, "project");
    this.isRepository = random.chance(0.7);
    this.start = random.chance(0.3) ? join(this.root, "packages/app") : this.root;
    this.foreignUrl = foreignUrl;
    this.env = { PATH: process.env["PATH"] ?? "", HOME: join(place, "home"), PAWL_CONFIG_DIR: join(place, "config") };
  }

  static async make(random: Random, foreignUrl: string): Promise<HostileFolder> {
    const place = await realpath(await mkdtemp(join(tmpdir(), "pawl-hostile-")));
    const folder = new HostileFolder(place, random, foreignUrl);
    for (const each of ["home", "config", "ran", "outside"]) await mkdir(join(place, each));
    await folder.write("outside/secret.txt", "the secret\n", place);
    await mkdir(folder.start, { recursive: true });
    if (folder.isRepository) await cp(await templateRepository(), folder.root, { recursive: true });
    return folder;
  }

  async write(name: string, text: string, base = this.start): Promise<string> {
    const path = join(base, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  async link(name: string, target: string): Promise<void> {
    await mkdir(dirname(join(this.start, name)), { recursive: true });
    await symlink(target, join(this.start, name));
  }

  /** A program that leaves a sign and goes on as `then`. */
  async program(name: string, sign: string, then = "cat", base = this.start): Promise<string> {
    const text = `#!/bin/sh\n: > ${join(this.place, "ran", sign)}\n${then}\n`;
    const path = await this.write(name, text, base);
    await chmod(path, 0o755);
    return path;
  }

  /** A key of one of the folder's settings files; those in groups as `permissions`, `env`. */
  setting(random: Random, group: string, key: string, value: unknown): void {
    const file = random.pick(settingsFiles);
    const settings = this.#settings.get(file) ?? {};
    settings[group] = { ...settings[group], [key]: value };
    this.#settings.set(file, settings);
  }

  /** A key that stands for itself. */
  topSetting(random: Random, key: string, value: unknown): void {
    this.setting(random, "", key, value);
  }

  async build(): Promise<void> {
    for (const work of this.finally) await work();
    for (const [file, { "": top, ...groups }] of this.#settings) {
      const isLocal = file.includes(".local.");
      await this.write(
        file,
        JSON.stringify({ ...groups, ...top }),
        isLocal && this.isRepository ? this.root : this.start,
      );
    }
  }

  /** Every path of the project with what a write would change. */
  async state(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const visit = async (path: string): Promise<void> => {
      const { mode, size, mtimeMs, ino } = await lstat(path);
      found.set(path, `${mode} ${size} ${mtimeMs} ${ino}`);
      if ((mode & 0o170000) !== 0o040000) return;
      for (const name of await readdir(path)) await visit(join(path, name));
    };
    await visit(this.root);
    await visit(join(this.place, "outside"));
    return found;
  }

  /** Traps that ran since the last time. */
  async takeRan(): Promise<Set<string>> {
    const names = await readdir(join(this.place, "ran"));
    for (const name of names) await rm(join(this.place, "ran", name));
    return new Set(names);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.place, { recursive: true, force: true });
  }
}

let template: Promise<string> | undefined;

/** One repository for all, made once: with a commit and a change that `git diff` shows. */
function templateRepository(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

export async function removeTemplate(): Promise<void> {
  if (template !== undefined) await rm(await template, { recursive: true });
}

const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
  [`GIT_${role}_NAME`, "a"],
  [`GIT_${role}_EMAIL`, "a@b"],
]);

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-template-"));
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...Object.fromEntries(who) };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "ignore" });
  git("init", "-q", "--template=");
  await writeFile(join(folder, "file.txt"), "one\n");
  git("add", ".");
  git("commit", "-qm", "first");
  await writeFile(join(folder, "file.txt"), "another\n");
  return folder;
}
