import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { childController } from "../../../lib/abort.ts";
import { messageOf, PawlError } from "../../../lib/error.ts";
import { isRecord } from "../../../messages/api-shape.ts";
import type { ServedProgram, Shell } from "../../../shell/shell.ts";
import { clientCapabilities } from "./capabilities.ts";
import type { LspConnection } from "./connection.ts";
import { PublishedDiagnostics } from "./diagnostics.ts";
import type { LspLimits } from "./limits.ts";
import { OpenDocuments } from "./open-documents.ts";
import type { LspServerConfig } from "./server-config.ts";

/** A server that runs and has begun. */
export type Running = {
  readonly program: ServedProgram;
  readonly connection: LspConnection;
  readonly documents: OpenDocuments;
  readonly published: PublishedDiagnostics;
  readonly capabilities: Readonly<Record<string, unknown>>;
};

type Options = { config: LspServerConfig; root: string; shell: Shell; limits: LspLimits; now: () => number };

/** One language server over one folder: started when it is asked, ended when it is idle, started again after a crash. */
export class LanguageServer {
  readonly #options: Options;
  #running: Promise<Running> | undefined;
  /** The one behind `#running`, from its start on. */
  #program: ServedProgram | undefined;
  #starts = 0;
  #crashes: number[] = [];
  #lastWords = "";
  #idle: NodeJS.Timeout | undefined;
  #requests = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get config(): LspServerConfig {
    return this.#options.config;
  }

  /**
   * Runs `work` with the server, which is started when it does not run.
   *
   * @throws PawlError `lsp` when it cannot be started, ends in the middle, or has crashed too often; what `work` throws.
   */
  async use<Result>(work: (running: Running) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    clearTimeout(this.#idle);
    this.#requests += 1;
    try {
      const running = await this.#started(signal);
      const ended = running.program.ended.then((end) => {
        throw this.#failure(`ended in the middle of it (${end.killedBy ?? `exit code ${end.exitCode}`})`, end.stderr);
      });
      return await Promise.race([work(running), ended]);
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0) this.#waitIdle();
    }
  }

  /** One request, bounded. A server that lets it pass is ended: it hangs, and the next use starts it anew. */
  async request({ connection, program }: Running, method: string, params: unknown, signal: AbortSignal) {
    const { request: timeoutMs } = this.#options.limits;
    const time = childController(signal);
    const timer = setTimeout(() => time.abort(), timeoutMs);
    try {
      return await connection.request(method, params, time.signal);
    } catch (error) {
      if (signal.aborted) throw new PawlError("aborted", "The question to the language server was cancelled.");
      if (!time.signal.aborted) throw this.#failure(`refused ${method}: ${messageOf(error)}`);
      this.#crashed(program, "");
      program.stop();
      throw this.#failure(`gave no answer to ${method} within ${timeoutMs / 1_000} s and was ended`);
    } finally {
      clearTimeout(timer);
      time.release();
    }
  }

  async #started(signal: AbortSignal): Promise<Running> {
    this.#running ??= this.#start();
    const starting = this.#running;
    return new Promise((resolve, reject) => {
      const leave = () => reject(new PawlError("aborted", "The question to the language server was cancelled."));
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      starting.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  async #start(): Promise<Running> {
    const { config, root, shell, limits, now } = this.#options;
    this.#starts += 1;
    const start = this.#starts;
    this.#crashes = this.#crashes.filter((at) => now() - at < limits.crashWindow);
    try {
      if (this.#crashes.length >= limits.crashes) {
        const minutes = Math.ceil(limits.crashWindow / 60_000);
        throw this.#failure(
          `has crashed ${limits.crashes} times in ${minutes} minutes and is left alone for now`,
          this.#lastWords,
        );
      }
      const { command: file, args, env = {} } = config;
      const program = await shell.serve({ file, args, cwd: root, env });
      if ("failure" in program) throw this.#failure(`cannot be started: ${program.failure}`);
      this.#program = program;
      return await this.#begin(program);
    } catch (error) {
      // Another start may have begun since this one failed.
      if (start === this.#starts) this.#running = undefined;
      throw error;
    }
  }

  async #begin(program: ServedProgram): Promise<Running> {
    const { config, root, limits } = this.#options;
    const { connectServer } = await import("./connection.ts");
    this.#lastWords = "";
    const published = new PublishedDiagnostics();
    const connection = connectServer(program, {
      configuration: (section) => settingAt(config.settings, section),
      published: (uri, diagnostics, version) => published.publish(uri, diagnostics, version),
      broken: (why) => {
        this.#lastWords = why;
        program.stop();
      },
    });
    void program.ended.then(({ stderr }) => {
      connection.dispose();
      this.#crashed(program, stderr);
    });
    const begun = await this.#initialized(connection, program, root, limits.start);
    const capabilities = isRecord(begun) && isRecord(begun["capabilities"]) ? begun["capabilities"] : {};
    connection.notify("initialized", {});
    if (config.settings !== undefined)
      connection.notify("workspace/didChangeConfiguration", { settings: config.settings });
    const documents = new OpenDocuments(connection.notify, (uri) => published.forget(uri));
    return { program, connection, documents, published, capabilities };
  }

  async #initialized(connection: LspConnection, program: ServedProgram, root: string, defaultMs: number) {
    const { startTimeoutMs: timeoutMs = defaultMs, initializationOptions } = this.#options.config;
    const rootUri = pathToFileURL(root).href;
    const params = {
      processId: process.pid,
      clientInfo: { name: "pawl" },
      rootPath: root,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: basename(root) }],
      capabilities: clientCapabilities,
      ...(initializationOptions === undefined ? {} : { initializationOptions }),
    };
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), timeoutMs);
    const ended = program.ended.then(({ stderr }) => {
      throw this.#failure("ended while it began", this.#lastWords || stderr);
    });
    try {
      return await Promise.race([connection.request("initialize", params, time.signal), ended]);
    } catch (error) {
      this.#crashed(program, "");
      program.stop();
      if (time.signal.aborted) throw this.#failure(`did not begin within ${timeoutMs / 1_000} s`);
      throw error instanceof PawlError ? error : this.#failure(`did not begin: ${messageOf(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whatever ends without being told to has crashed, and so has what hangs: the next use starts another one. */
  #crashed(program: ServedProgram, stderr: string): void {
    if (this.#program !== program) return;
    this.#program = undefined;
    this.#running = undefined;
    this.#crashes.push(this.#options.now());
    this.#lastWords ||= stderr;
  }

  #waitIdle(): void {
    this.#idle = setTimeout(() => void this.#end(), this.#options.limits.idle);
    this.#idle.unref();
  }

  async #end(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (running === undefined || this.#requests > 0) return;
    this.#running = undefined;
    this.#program = undefined;
    const { connection, program } = running;
    const time = AbortSignal.timeout(this.#options.limits.shutdown);
    await connection.request("shutdown", undefined, time).catch(() => {});
    connection.notify("exit", undefined);
    program.stop();
  }

  #failure(what: string, lastWords = ""): PawlError {
    const { name, command } = this.#options.config;
    const words = lastWords.trim().slice(-MAX_WORDS_CHARS);
    const said = words === "" ? "." : `. It said last: ${words}`;
    return new PawlError("lsp", `The language server ${name} (${command}) ${what}${said}`);
  }
}

const MAX_WORDS_CHARS = 500;

/** `a.b` is the `b` of the `a`; no section is all of it. */
function settingAt(settings: unknown, section: string | undefined): unknown {
  let found = settings;
  for (const key of section?.split(".") ?? []) found = isRecord(found) ? found[key] : undefined;
  return found;
}
