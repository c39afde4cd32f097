import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { untilAborted } from "../lib/abort.ts";
import { messageOf } from "../lib/error.ts";
import type { SettingsLayer } from "../settings/merge-layers.ts";
import { type FileSource, fileSources } from "../settings/setting-files.ts";
import { type ConsentStore, consentStore, type StartConsent } from "./consent-store.ts";
import { type Fingerprint, type FolderItem, fingerprintOf, type ItemSource, isSameIn, nameOf } from "./folder-item.ts";
import { withWhatItNames } from "./folder-items.ts";
import { gitPrograms } from "./git-programs.ts";
import { mcpItems } from "./mcp-json.ts";
import { oneLine } from "./one-line.ts";
import { outerEnvironment } from "./outer-environment.ts";
import { questionOf } from "./question-of.ts";
import { type TrustFolder, trustFolderOf } from "./trust-folder.ts";
import { leftOutNotices, leftOutVariables } from "./trust-notices.ts";
import type { AskTrust } from "./trust-question.ts";
import { withhold } from "./withhold.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type FolderTrustOptions = {
  /** The start directory, absolute, links resolved. */
  cwd: string;
  home: string;
  configHome: string;
  /** In which git says where the user's configuration is; default: nowhere but in the home folder. */
  env?: Environment;
  files: WorkspaceFiles;
  /** Files of the folder that settings come from; default all. */
  sources?: readonly FileSource[];
  /** Whether everything in the folder is used, unasked, and nothing remembered. */
  trusts: boolean;
  ask?: AskTrust;
  signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** What the user stands by: all of it for this session, a state of it, or nothing. */
type Standing = { type: "all" } | ({ type: "items" } & StartConsent) | { type: "none" };

/** What of a folder may be used in one session, as far as the user has consented to it. */
export class FolderTrust {
  readonly #options: FolderTrustOptions;
  readonly #folder: TrustFolder;
  readonly #store: ConsentStore;
  /** Sources that count in this session. */
  readonly #sources: readonly ItemSource[];
  #standing: Standing;
  #isFirst = true;
  /** The time of a consent that no longer holds: what it was given to has changed. */
  #outdated: string | undefined;

  private constructor(options: FolderTrustOptions, folder: TrustFolder) {
    this.#options = options;
    this.#folder = folder;
    this.#store = consentStore(options.configHome);
    this.#sources = countingSources(options.sources ?? fileSources);
    this.#standing = options.trusts ? { type: "all" } : { type: "none" };
  }

  static async open(options: FolderTrustOptions): Promise<FolderTrust> {
    return new FolderTrust(options, await trustFolderOf(options.cwd, await options.files.realPath(options.home)));
  }

  /**
   * The settings that may be used now, and what was left out, for people. The first call, before anything of the folder is used,
   * asks the user; what is new at a later one is left out until the next session. @throws what `ask` throws, PawlError `aborted`
   */
  async admit(layers: readonly SettingsLayer[]): Promise<{ layers: readonly SettingsLayer[]; warnings: string[] }> {
    if (this.#standing.type === "all") return { layers, warnings: [] };
    const { layers: harmless, items: inSettings } = withhold(layers);
    const servers = this.#sources.includes("mcpJson") ? await mcpItems(this.#options.cwd) : [];
    const configured = [...inSettings, ...servers];
    const warnings = this.#isFirst ? await this.#begin(configured) : [];
    const isUsed = configured.length === 0 || (await this.#covers(configured, this.#sources.filter(isConfigured)));
    if (isUsed) return { layers, warnings };
    return { layers: harmless, warnings: [...warnings, ...leftOutNotices(configured, (await this.#stored())?.items)] };
  }

  /** The user's variables, without a way into a folder that is not trusted. After the first `admit`. */
  environment(env: Environment): { env: Environment; warnings: string[] } {
    const standing = this.#standing;
    if (standing.type === "all" || (standing.type === "items" && standing.by === "answer"))
      return { env, warnings: [] };
    const { root, mainRoot } = this.#folder;
    const { env: outer, leftOut } = outerEnvironment(env, [root, mainRoot]);
    return { env: outer, warnings: leftOutVariables(leftOut, root) };
  }

  /** What git may start when it only looks at the repository around `cwd`, and nobody has consented to: `file: key` of each. */
  async gitPrograms(cwd: string): Promise<string[]> {
    if (this.#standing.type === "all") return [];
    const consented: Fingerprint = this.#standing.type === "items" ? this.#standing.items : {};
    const { files, home, env } = this.#options;
    const items = await gitPrograms(cwd, files, { home, env });
    const now = fingerprintOf(items, this.#folder);
    const open = items.filter((item) => {
      const name = nameOf(item, this.#folder);
      return consented[name] !== now[name];
    });
    return open.map(({ place, key }) => oneLine(`${place}: ${key}`));
  }

  /** Looks at all there is, and asks when nobody has consented to it. Later calls do not look at what a session may itself change. */
  async #begin(configured: readonly FolderItem[]): Promise<string[]> {
    this.#isFirst = false;
    const { cwd, files, home, env, ask, signal = new AbortController().signal } = this.#options;
    const items = await withWhatItNames(configured, {
      cwd,
      root: this.#folder.root,
      files,
      user: { home, env },
    });
    if (items.length === 0 || (await this.#covers(items, this.#sources))) return [];
    const stored = await this.#stored();
    this.#outdated = stored?.at;
    if (ask === undefined) return [];
    const question = questionOf(items, this.#folder, stored?.items);
    const answer = await untilAborted(ask(question), signal, "The question whether to trust the folder");
    if (answer === "once") this.#standing = { type: "all" };
    return answer === "yes" ? this.#consent(fingerprintOf(items, this.#folder)) : [];
  }

  async #consent(items: Fingerprint): Promise<string[]> {
    this.#standing = { type: "items", by: "answer", items };
    try {
      await this.#store.write(this.#folder, { by: "answer", items }, this.#options.now());
      return [];
    } catch (error) {
      return [`The consent to ${this.#folder.mainRoot} holds for this session only: ${messageOf(error)}`];
    }
  }

  /** Whether the user stands by these, as far as they come from `sources`; another program may have asked in the meantime. */
  async #covers(items: readonly FolderItem[], sources: readonly ItemSource[]): Promise<boolean> {
    if (this.#standing.type === "all") return true;
    const now = fingerprintOf(items, this.#folder);
    if (this.#standing.type === "items" && isSameIn(sources, this.#standing.items, now)) return true;
    const stored = await this.#stored();
    if (stored === undefined || stored.at === this.#outdated || !isSameIn(sources, stored.items, now)) return false;
    this.#standing = { type: "items", by: stored.by, items: stored.items };
    return true;
  }

  async #stored() {
    return (await this.#store.read(this.#folder.mainRoot)).starts[this.#folder.start];
  }
}

/** Without the project's settings its servers do not count either. */
function countingSources(sources: readonly FileSource[]): readonly ItemSource[] {
  return [
    ...(sources.includes("project") ? (["projectSettings", "mcpJson"] as const) : []),
    ...(sources.includes("local") ? (["localSettings"] as const) : []),
    "gitConfig",
    "script",
  ];
}

const isConfigured = (source: ItemSource) => source !== "gitConfig" && source !== "script";
