import { type IPty, spawn } from "@lydell/node-pty";
import { program, type Step, Workspace } from "./pawl.ts";

/** What a person at a terminal waits for. */
const TEXT_WAIT_MS = 40_000;
const CONTROL = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\r/g;

type TerminalOptions = { columns?: number; env?: Record<string, string> };

/** `pawl -p go` at a terminal in a workspace of its own, where the model says `steps`. */
export async function startAtTerminal(steps: readonly Step[], args: readonly string[] = [], options?: TerminalOptions) {
  const workspace = await Workspace.create();
  const model = await workspace.plays(steps);
  const terminal = new AtTerminal(workspace, ["-p", "go", ...model, ...args], options);
  return {
    workspace,
    terminal,
    /** What the run has left on disk once it has ended. */
    async transcript() {
      await terminal.ended;
      return (await workspace.shell("cat .config/projects/*/*.jsonl")).stdout;
    },
    async [Symbol.asyncDispose]() {
      terminal[Symbol.dispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** The program at a real pseudo-terminal, and what it has written there. */
export class AtTerminal {
  readonly #pty: IPty;
  #raw = "";
  /** Up to where the text was looked at. */
  #at = 0;
  #hasEnded = false;
  readonly ended: Promise<{ exitCode: number; signal?: number | undefined }>;

  constructor(workspace: Workspace, args: readonly string[], options: TerminalOptions = {}) {
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...inherited } = process.env;
    const own = { HOME: workspace.folder, PAWL_CONFIG_DIR: workspace.path(".config"), TERM: "xterm-256color" };
    this.#pty = spawn(process.execPath, [program, ...args], {
      cols: options.columns ?? 80,
      rows: 30,
      cwd: workspace.folder,
      env: { ...inherited, ...own, ...options.env },
    });
    this.#pty.onData((data) => {
      this.#raw += data;
    });
    this.ended = new Promise((resolve) =>
      this.#pty.onExit((end) => {
        this.#hasEnded = true;
        resolve(end);
      }),
    );
  }

  /** Everything as written, controls included. */
  get raw(): string {
    return this.#raw;
  }

  /** Without colours and moves. */
  get text(): string {
    return this.#raw.replace(CONTROL, "");
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** Types at a question as soon as its keys stand there. */
  async answers(keys: string): Promise<void> {
    await this.sees("[Esc] stop");
    this.type(keys);
  }

  /** Types a key until the text has come: what is typed at a bad moment is dropped. */
  async presses(key: string, text: string): Promise<void> {
    const again = setInterval(() => this.type(key), 500);
    this.type(key);
    await this.sees(text).finally(() => clearInterval(again));
  }

  /** Resolves once the text stands there, after what was waited for before. */
  async sees(text: string): Promise<void> {
    const deadline = Date.now() + TEXT_WAIT_MS;
    for (;;) {
      const found = this.text.indexOf(text, this.#at);
      if (found !== -1) {
        this.#at = found + text.length;
        return;
      }
      if (this.#hasEnded || Date.now() > deadline)
        throw new Error(`"${text}" did not appear; there stands:\n${this.text.slice(this.#at)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#pty.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
