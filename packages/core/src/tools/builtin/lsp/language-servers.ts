import type { ToolContext } from "../../tool.ts";
import type { LanguageServer } from "./language-server.ts";
import { LSP_LIMITS, type LspLimits } from "./limits.ts";
import { type LspServerConfig, serverFor } from "./server-config.ts";

/** A session may have so many running; then the one that was asked longest ago is forgotten, and ends when idle. */
const MAX_SERVERS = 8;

/** The language servers of one session, one for each kind and root. */
export class LanguageServers {
  readonly limits: LspLimits;
  readonly #configs: readonly LspServerConfig[];
  readonly #servers = new Map<string, LanguageServer>();
  /** Names of those that were started: their start was agreed to. */
  readonly #begun = new Set<string>();

  constructor(configs: readonly LspServerConfig[], limits: Partial<LspLimits> = {}) {
    this.#configs = configs;
    this.limits = { ...LSP_LIMITS, ...limits };
  }

  configFor(path: string): LspServerConfig | undefined {
    return serverFor(path, this.#configs);
  }

  /** Whether a call about this file would be the first to start its server. */
  startsFirst(config: LspServerConfig): boolean {
    return !this.#begun.has(config.name);
  }

  async of(
    config: LspServerConfig,
    root: string,
    { shell, now }: Pick<ToolContext, "shell" | "now">,
  ): Promise<LanguageServer> {
    this.#begun.add(config.name);
    const { LanguageServer } = await import("./language-server.ts");
    const key = JSON.stringify([config.name, root]);
    const server = this.#servers.get(key) ?? new LanguageServer({ config, root, shell, limits: this.limits, now });
    this.#servers.delete(key);
    this.#servers.set(key, server);
    const [oldest] = this.#servers.keys();
    if (this.#servers.size > MAX_SERVERS && oldest !== undefined) this.#servers.delete(oldest);
    return server;
  }
}
